import type {
  EngineStore,
  IntakeRequest,
  IntakeResult,
  WalletRequest
} from '../../../services/submission/contract.ts'
import { StoreUncertainError } from '../../../services/submission/errors.ts'
import { createEngineStore } from '../../../services/submission/store/engine-writes.ts'
import { CONTROL_REQUEST, readRequest } from '../chain/messages.ts'
import { drawPlan, type Fault } from '../plan.ts'
import { StoreFault } from '../service/guarded-store.ts'
import type { BrokenRule } from '../service/replica.ts'
import { simulate } from '../simulate.ts'

type Leading = { lead(): Promise<{ store: EngineStore } | undefined> }

function altered<S extends Leading>(store: S, alter: (store: EngineStore) => Partial<EngineStore>): S {
  return {
    ...store,
    async lead() {
      const term = await store.lead()
      return term && { ...term, store: { ...term.store, ...alter(term.store) } }
    }
  }
}

const leading = (alter: (store: EngineStore) => Partial<EngineStore>): BrokenRule => ({
  store: store => altered(store, alter)
})

/** Makes the store methods that `pick` selects write without checking the leader's term. */
const ignoringTerm = (pick: (store: EngineStore) => Partial<EngineStore>): BrokenRule => ({
  store: (store, context) =>
    altered(store, () => pick(createEngineStore(context, context.database.transaction)))
})

/** Replaces the error of an uncertain write with one that claims that nothing was written. */
async function denying<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    throw error instanceof StoreUncertainError ? new StoreFault('nothing was written') : error
  }
}

const denies = (deny: (store: EngineStore) => Partial<EngineStore>): BrokenRule => ({
  storeAsSeen: store => altered(store, deny)
})

function accepted({ submissionId }: IntakeRequest): IntakeResult {
  const submission = { submissionId, status: 'queued', createdAt: '', updatedAt: '' } as const
  return { status: 'created', submission }
}

const isExecuted = ({ execution }: WalletRequest) => execution?.status === 'committed'

const forAnyTarget = (request: IntakeRequest): IntakeRequest => ({ ...request, mayRedirect: 'all' })

/** A rule that the service must follow: if a service breaks the rule, the oracle must report a failing schedule. */
export interface NecessaryRule {
  broken: BrokenRule
  from: number
  /** The fault that a failing schedule needs, if any. */
  fault?: Fault
}

const CUT = 4096

/** The necessary rules, keyed by a description of a service that breaks them. */
export const NECESSARY_RULES: Record<string, NecessaryRule> = {
  'loses signed transactions on a restart': {
    from: 78,
    broken: leading(() => ({ openSignedTxs: async () => [] }))
  },
  'loses accepted submissions': {
    from: 0,
    broken: { store: store => ({ ...store, take: async requests => requests.map(accepted) }) }
  },
  'ignores the results of blocks': {
    from: 0,
    broken: leading(store => ({
      applyBlock: block => store.applyBlock({ ...block, resolutions: [] })
    }))
  },
  'sends a transfer before its lock': {
    from: 17,
    broken: leading(store => ({
      queued: async limit =>
        (await store.queued(limit)).map(({ waitsFor: _, ...message }) => message).reverse()
    }))
  },
  'opens slots after its term': {
    from: 2339,
    fault: 'lock-lost',
    broken: ignoringTerm(({ openSlot }) => ({ openSlot }))
  },
  're-signs slots after its term': {
    from: 9110,
    fault: 'lock-lost',
    broken: ignoringTerm(({ addSignedTx }) => ({ addSignedTx }))
  },
  'applies blocks after its term': {
    from: 123,
    fault: 'lock-lost',
    broken: ignoringTerm(({ applyBlock }) => ({ applyBlock }))
  },
  'reports an uncertain write of a slot as failed': {
    from: 1172,
    fault: 'store-uncertain',
    broken: denies(store => ({ openSlot: signedTx => denying(store.openSlot(signedTx)) }))
  },
  'reports an uncertain write of a transaction as failed': {
    from: 19_416,
    fault: 'store-uncertain',
    broken: denies(store => ({ addSignedTx: signedTx => denying(store.addSignedTx(signedTx)) }))
  },
  'reports an uncertain write of a block as failed': {
    from: 228,
    fault: 'store-uncertain',
    broken: denies(store => ({ applyBlock: block => denying(store.applyBlock(block)) }))
  },
  'reports an uncertain write of a submission as failed': {
    from: 2597,
    fault: 'store-uncertain',
    broken: {
      storeAsSeen: store => ({
        ...store,
        take: requests => denying(store.take(requests)),
        // A read after the failed call would find the submission.
        join: () => Promise.reject(new StoreFault('the store cannot be read'))
      })
    }
  },
  'does not adopt transactions from a lost store': {
    from: 114,
    fault: 'store-set-back',
    broken: leading(store => ({
      adopt: async () => [],
      applyBlock: ({ adoptions: _, ...block }) => store.applyBlock(block)
    }))
  },
  'does not remember the refused payments of a lost store': {
    from: 1636,
    fault: 'store-set-back',
    broken: leading(store => ({
      adopt: requests => store.adopt(requests.filter(isExecuted)),
      applyBlock: ({ adoptions = [], ...block }) =>
        store.applyBlock({ ...block, adoptions: adoptions.filter(isExecuted) })
    }))
  },
  'lets anyone use a refused payment': {
    from: 1,
    broken: { store: store => ({ ...store, take: requests => store.take(requests.map(forAnyTarget)) }) }
  },
  'rejects messages even though the control request fails': {
    from: 185,
    fault: 'module-paused',
    broken: {
      chainAsSeen: chain => ({
        ...chain,
        async simulate(simulation) {
          const answer = await chain.simulate(simulation)
          const [first] = simulation.messages
          const isControlRequest =
            first !== undefined && readRequest(first.value).identity === CONTROL_REQUEST
          if (answer.status !== 'failed' || !isControlRequest) return answer
          if (simulation.messages.length === 1)
            return { status: 'passed', gasUsed: 100_000, node: answer.node }
          return { ...answer, log: answer.log.replace('message index: 0', 'message index: 1') }
        }
      })
    }
  },
  'trusts a node without confirmation': {
    from: 87,
    fault: 'account-lies',
    broken: {
      chainAsSeen: chain => ({
        ...chain,
        crossCheck: check => chain.crossCheck({ ...check, agree: () => true })
      })
    }
  },
  'reads only the start of logs': {
    from: 291,
    broken: {
      chainAsSeen: chain => ({
        ...chain,
        async block(height) {
          const block = await chain.block(height)
          const transactions = block?.transactions.map(one => ({ ...one, log: one.log.slice(0, CUT) }))
          return block && { ...block, transactions: transactions ?? [] }
        }
      })
    }
  }
}

/** Enough seeds for each fault to occur often. */
const SEEDS = 5000

/**
 * Simulates a service that breaks a rule until the oracle reports failures; none if all seeds pass. A seed that also fails
 * with the rule in force proves nothing.
 */
export async function catchingSeed({ broken, from, fault }: NecessaryRule) {
  for (let seed = from; seed < from + SEEDS; seed++) {
    if (fault && !drawPlan(seed).faults.has(fault)) continue
    const { failures } = await simulate(seed, { broken })
    if (failures.length === 0) continue
    const inForce = await simulate(seed)
    if (inForce.failures.length === 0) return { seed, failures }
  }
  return { seed: from + SEEDS, failures: [] }
}

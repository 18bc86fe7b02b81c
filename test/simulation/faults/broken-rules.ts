import type { ChainClient } from '../../../services/chain-client/index.ts'
import type {
  EngineStore,
  IntakeRequest,
  IntakeResult,
  SubmissionStore,
  WalletRequest
} from '../../../services/submission/contract.ts'
import { StoreUncertainError } from '../../../services/submission/errors.ts'
import { createEngineStore } from '../../../services/submission/store/engine-writes.ts'
import { CONTROL_REQUEST, readRequest } from '../chain/messages.ts'
import { drawPlan, type Fault } from '../plan.ts'
import { StoreFault } from '../service/guarded-store.ts'
import type { BrokenRule } from '../service/replica.ts'
import { simulate } from '../simulate.ts'

type Alter = (store: EngineStore) => Partial<EngineStore>

const altered = <S extends Pick<SubmissionStore, 'lead'>>(store: S, alter: Alter): S => ({
  ...store,
  async lead() {
    const term = await store.lead()
    return term && { ...term, store: { ...term.store, ...alter(term.store) } }
  }
})

const leading = (alter: Alter): BrokenRule => ({ store: store => altered(store, alter) })

/** Makes the store methods that `pick` selects write without checking the leader's term. */
const ignoringTerm = (pick: Alter): BrokenRule => ({
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

/** Denies a write of the leader whose outcome is uncertain. */
const denies = (write: 'openSlot' | 'addSignedTx' | 'applyBlock'): BrokenRule => ({
  storeAsSeen: store =>
    altered(store, leader => {
      const method: (change: never) => Promise<unknown> = leader[write]
      return { [write]: (change: never) => denying(method(change)) }
    })
})

const onChain = (alter: (chain: ChainClient) => Partial<ChainClient>): BrokenRule => ({
  chainAsSeen: chain => ({ ...chain, ...alter(chain) })
})

function accepted({ submissionId }: IntakeRequest): IntakeResult {
  const submission = { submissionId, status: 'queued', createdAt: '', updatedAt: '' } as const
  return { status: 'created', submission }
}

const isExecuted = ({ execution }: WalletRequest) => execution?.status === 'committed'

const forAnyTarget = (request: IntakeRequest): IntakeRequest => ({ ...request, mayRedirect: 'all' })

/**
 * The rules that the service must follow, keyed by a description of a service that breaks them: the oracle must report
 * a failing schedule. With the first seed that does, and the fault that such a schedule needs, if any.
 */
export const NECESSARY_RULES: Record<string, [from: number, broken: BrokenRule, fault?: Fault]> = {
  'loses signed transactions on a restart': [78, leading(() => ({ openSignedTxs: async () => [] }))],
  'loses accepted submissions': [
    0,
    { store: store => ({ ...store, take: async requests => requests.map(accepted) }) }
  ],
  'ignores the results of blocks': [
    0,
    leading(store => ({ applyBlock: block => store.applyBlock({ ...block, resolutions: [] }) }))
  ],
  'sends a transfer before its lock': [
    17,
    leading(store => ({
      queued: async (limit, without) =>
        (await store.queued(limit, without)).map(({ waitsFor: _, ...message }) => message).reverse()
    }))
  ],
  'opens slots after its term': [2828, ignoringTerm(({ openSlot }) => ({ openSlot })), 'lock-lost'],
  're-signs slots after its term': [9110, ignoringTerm(({ addSignedTx }) => ({ addSignedTx })), 'lock-lost'],
  'applies blocks after its term': [123, ignoringTerm(({ applyBlock }) => ({ applyBlock })), 'lock-lost'],
  'reports an uncertain write of a slot as failed': [1172, denies('openSlot'), 'store-uncertain'],
  'reports an uncertain write of a transaction as failed': [19_416, denies('addSignedTx'), 'store-uncertain'],
  'reports an uncertain write of a block as failed': [228, denies('applyBlock'), 'store-uncertain'],
  'reports an uncertain write of a submission as failed': [
    2597,
    {
      storeAsSeen: store => ({
        ...store,
        take: requests => denying(store.take(requests)),
        // A read after the failed call would find the submission.
        join: () => Promise.reject(new StoreFault('the store cannot be read'))
      })
    },
    'store-uncertain'
  ],
  'does not adopt transactions from a lost store': [
    114,
    leading(store => ({
      adopt: async () => [],
      applyBlock: ({ adoptions: _, ...block }) => store.applyBlock(block)
    })),
    'store-set-back'
  ],
  'does not remember the refused payments of a lost store': [
    1636,
    leading(store => ({
      adopt: requests => store.adopt(requests.filter(isExecuted)),
      applyBlock: ({ adoptions = [], ...block }) =>
        store.applyBlock({ ...block, adoptions: adoptions.filter(isExecuted) })
    })),
    'store-set-back'
  ],
  'lets anyone use a refused payment': [
    1,
    { store: store => ({ ...store, take: requests => store.take(requests.map(forAnyTarget)) }) }
  ],
  'rejects messages even though the control request fails': [
    474,
    onChain(chain => ({
      async simulate(simulation) {
        const answer = await chain.simulate(simulation)
        const [first, ...others] = simulation.messages
        if (answer.status !== 'failed' || !first || readRequest(first.value).identity !== CONTROL_REQUEST)
          return answer
        if (others.length === 0) return { status: 'passed', gasUsed: 100_000, node: answer.node }
        return { ...answer, log: answer.log.replace('message index: 0', 'message index: 1') }
      }
    })),
    'module-paused'
  ],
  'trusts a node without confirmation': [
    87,
    onChain(chain => ({ crossCheck: check => chain.crossCheck({ ...check, agree: () => true }) })),
    'account-lies'
  ],
  'reads only the start of logs': [
    291,
    onChain(chain => ({
      async block(height) {
        const block = await chain.block(height)
        const transactions = block?.transactions.map(one => ({ ...one, log: one.log.slice(0, 4096) }))
        return block && { ...block, transactions: transactions ?? [] }
      }
    }))
  ]
}

/** Enough seeds for each fault to occur often. */
const SEEDS = 5000

/**
 * Simulates a service that breaks a rule until the oracle reports failures; none if all seeds pass. A seed that also fails
 * with the rule in force proves nothing.
 */
export async function catchingSeed([from, broken, fault]: (typeof NECESSARY_RULES)[string]) {
  for (let seed = from; seed < from + SEEDS; seed++) {
    if (fault && !drawPlan(seed).faults.has(fault)) continue
    const { failures } = await simulate(seed, { broken })
    if (failures.length > 0 && (await simulate(seed)).failures.length === 0) return { seed, failures }
  }
  return { seed: from + SEEDS, failures: [] }
}

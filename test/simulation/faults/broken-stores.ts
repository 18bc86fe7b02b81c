import type { EngineStore } from '../../../services/submission/store/engine-store.ts'
import { StoreUncertainError } from '../../../services/submission/store/errors.ts'
import type {
  IntakeRequest,
  IntakeResult,
  SubmissionStore
} from '../../../services/submission/store/types.ts'
import type { Disk } from '../memory-store/disk.ts'
import { createEngineStore } from '../memory-store/engine-store.ts'
import { StoreFault } from '../service/guarded-store.ts'
import type { AlterStore } from '../world.ts'
import type { CallFault } from './names.ts'

/** Alters what a leader uses. */
function alterTerms(alter: (store: EngineStore, disk: Disk) => Partial<EngineStore>): AlterStore {
  return (store: SubmissionStore, disk): SubmissionStore => ({
    ...store,
    async lead() {
      const term = await store.lead()
      return term && { ...term, store: { ...term.store, ...alter(term.store, disk) } }
    }
  })
}

function taken({ submissionId }: IntakeRequest): IntakeResult {
  const submission = { submissionId, status: 'queued', createdAt: '', updatedAt: '' } as const
  return { status: 'created', submission }
}

/** Says that nothing was written where it is not known. */
async function denying<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    throw error instanceof StoreUncertainError ? new StoreFault('nothing was written') : error
  }
}

/** A store that breaks a rule, which the oracle must notice: so the rule is necessary. */
export interface BrokenStore {
  alterStore: AlterStore
  /** The seed from which on a schedule is looked for that shows it. */
  from: number
  /** The fault that such a schedule needs, if any. */
  fault?: CallFault
}

/** Without the check of the term for one of its writes. */
const ignoringTerm = (pick: (store: EngineStore) => Partial<EngineStore>) =>
  alterTerms((_store, disk) => pick(createEngineStore(disk)))

export const BROKEN_STORES: Record<string, BrokenStore> = {
  'loses signed transactions on a restart': {
    from: 0,
    alterStore: alterTerms(() => ({ openVariants: async () => [] }))
  },
  'loses what it took': {
    from: 0,
    alterStore: store => ({ ...store, take: async requests => requests.map(taken) })
  },
  'ignores the results of blocks': {
    from: 0,
    alterStore: alterTerms(store => ({
      applyBlocks: blocks => store.applyBlocks(blocks.map(block => ({ ...block, resolutions: [] })))
    }))
  },
  'opens slots in a term that is over': {
    from: 280,
    fault: 'lock-lost',
    alterStore: ignoringTerm(({ openSlot }) => ({ openSlot }))
  },
  'signs slots again in a term that is over': {
    from: 1220,
    fault: 'lock-lost',
    alterStore: ignoringTerm(({ addVariant }) => ({ addVariant }))
  },
  'applies blocks in a term that is over': {
    from: 30,
    fault: 'lock-lost',
    alterStore: ignoringTerm(({ applyBlocks }) => ({ applyBlocks }))
  },
  'denies a slot that it may have opened': {
    from: 890,
    fault: 'store-uncertain',
    alterStore: alterTerms(store => ({ openSlot: variant => denying(store.openSlot(variant)) }))
  },
  'denies a transaction that it may have added to a slot': {
    from: 5020,
    fault: 'store-uncertain',
    alterStore: alterTerms(store => ({ addVariant: variant => denying(store.addVariant(variant)) }))
  },
  'denies blocks that it may have applied': {
    from: 230,
    fault: 'store-uncertain',
    alterStore: alterTerms(store => ({ applyBlocks: blocks => denying(store.applyBlocks(blocks)) }))
  },
  'denies submissions that it may have taken': {
    from: 1540,
    fault: 'store-uncertain',
    alterStore: store => ({ ...store, take: requests => denying(store.take(requests)) })
  }
}

import type { Chain } from '../../chain/index.ts'
import { getRecord } from './keeper.ts'
import { assumed, doneMovement, failedMovement, type Movement, type Step, stepsOf } from './lifecycle.ts'
import type { Progress, TransactionRecord } from './record.ts'

/** A pool's account on outside chains. */
export interface Pool {
  /** Whether a movement is a transaction of this pool. Others are assumed. */
  moves(movement: Movement, record: TransactionRecord): boolean
  /** Moves tokens. Resolves with the hash. @throws Error with the reason */
  move(movement: Movement, record: TransactionRecord): Promise<string>
}

export type Settlement = ReturnType<typeof createSettlement>

/**
 * Carries out the transfers that pools move by real transactions. Each step begins after a block, and its result is in the
 * next block after its end.
 */
export function createSettlement(chain: Pick<Chain, 'onBlock' | 'state'>, pools: readonly Pool[]) {
  /** The progress of each transfer by id, with the heights from which it is valid. */
  const settled = new Map<number, { height: number; progress: Partial<Progress> }[]>()
  let next = 1
  /** Called with the next block's height. */
  let waiting: ((height: number) => void)[] = []

  const poolFor = (step: Step, record: TransactionRecord) =>
    typeof step === 'string' ? pools.find(({ moves }) => moves(step, record)) : undefined

  async function progressOf(step: Step, record: TransactionRecord): Promise<Partial<Progress>> {
    const pool = poolFor(step, record)
    if (pool === undefined || typeof step !== 'string') return assumed(step, record)
    try {
      return doneMovement(step, await pool.move(step, record))
    } catch (error) {
      return failedMovement(step, error instanceof Error ? error.message : String(error))
    }
  }

  async function settle(record: TransactionRecord): Promise<void> {
    const entries: { height: number; progress: Partial<Progress> }[] = []
    settled.set(record.id, entries)
    for (const step of stepsOf(record)) {
      const progress = await progressOf(step, record)
      entries.push({ height: await new Promise(resolve => waiting.push(resolve)), progress })
      if (typeof step === 'string' && progress.failReason !== undefined) return
    }
  }

  chain.onBlock(({ height }) => {
    const resolvers = waiting
    waiting = []
    for (const resolve of resolvers) resolve(height)
    for (let record = getRecord(chain.state, next); record; record = getRecord(chain.state, ++next))
      if (stepsOf(record).some(step => poolFor(step, record))) void settle(record)
  })

  return {
    /** Returns a record as of a height; undefined if all of its steps are assumed. */
    recordAt(record: TransactionRecord, height: number): TransactionRecord | undefined {
      const entries = settled.get(record.id)?.filter(entry => entry.height <= height)
      return entries && Object.assign({}, record, ...entries.map(({ progress }) => progress))
    }
  }
}

import type { Chain } from '../../chain/chain.ts'
import { getRecord } from './keeper.ts'
import {
  assumed,
  doneMovement,
  failedMovement,
  type Movement,
  railOf,
  type Step,
  stepsOf
} from './lifecycle.ts'
import type { Progress, TransactionRecord } from './record.ts'

/** The pool's account on the outside chains that are real nodes. */
export interface Pool {
  has(chain: string): boolean
  /** Moves tokens. Resolves with the hash once the transaction is in a block. @throws Error with the reason */
  move(movement: Movement, record: TransactionRecord): Promise<string>
}

export type Settlement = ReturnType<typeof createSettlement>

/**
 * Carries out the transfers whose origin or target is a real node. Each step begins after a block, and its result is in the
 * next block after its end.
 */
export function createSettlement(chain: Pick<Chain, 'onBlock' | 'state'>, pool: Pool) {
  /** The progress of each transfer by id, with the heights from which it is valid. */
  const settled = new Map<number, { height: number; progress: Partial<Progress> }[]>()
  let next = 1
  /** Called with the next block's height. */
  let waiting: ((height: number) => void)[] = []

  async function progressOf(step: Step, record: TransactionRecord): Promise<Partial<Progress>> {
    if (typeof step !== 'string' || !pool.has(railOf(step, record))) return assumed(step, record)
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
      if (pool.has(record.originChain) || pool.has(record.targetChain)) void settle(record)
  })

  return {
    /** Returns a record as of a height; undefined if none of its chains is a real node. */
    recordAt(record: TransactionRecord, height: number): TransactionRecord | undefined {
      const entries = settled.get(record.id)?.filter(entry => entry.height <= height)
      return entries && Object.assign({}, record, ...entries.map(({ progress }) => progress))
    }
  }
}

import type { ChainBlock, ChainClient } from '../../services/chain-client/index.ts'
import { resolveSlots } from '../../services/submission/following/outcomes.ts'
import { createSlotTable } from '../../services/submission/state/slots.ts'
import type { OwnedStore } from '../../services/submission/store/operator-store.ts'
import type { SignerState, SlotResolution, SubmissionOutcome } from '../../services/submission/store/types.ts'
import { signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { createAdopter, type Findings } from './adopter.ts'
import { createBlocks } from './blocks.ts'

/** Reads blocks after the cursor. */
export interface Reader {
  readonly findings: Findings & { blocks: number }
  /** Reads the next block. @returns false while there is none. @throws OperatorError, NodeUnavailableError, HistoryPrunedError */
  next(): Promise<boolean>
}

/**
 * Reads blocks as the server does, and also settles and records what transactions of the wallet that are not in the store
 * have executed. A step that was interrupted can be repeated.
 */
export async function createReader(
  { store, queries, writes }: OwnedStore,
  chain: Pick<ChainClient, 'block'>,
  brand: string
): Promise<Reader> {
  const blocks = createBlocks(chain)
  const slots = createSlotTable()
  let read = 0
  for (const variant of await store.openVariants()) slots.add(variant)
  const adopter = await createAdopter({ queries, writes }, brand)

  /** The resolution without the submissions that are settled already. */
  async function withoutSettled(resolution: SlotResolution): Promise<SlotResolution> {
    const outcomes: SubmissionOutcome[] = []
    for (const outcome of resolution.outcomes) {
      const found = await queries.find(outcome.submissionId)
      if (found?.submission.status === 'broadcast') outcomes.push(outcome)
    }
    return { ...resolution, outcomes }
  }

  return {
    get findings() {
      return { blocks: read, ...adopter.findings }
    },
    async next() {
      const signer = await signerOf(queries)
      const block = await blocks.next(signer.cursorHeight + 1)
      if (block === undefined) return false
      assertFollows(block, signer)
      await adopter.adopt(block, hash => slots.findVariant(hash) !== undefined)
      const { height, hash, time } = block
      const resolved = resolveSlots(block, slots, signer).resolutions
      const resolutions = await Promise.all(resolved.map(withoutSettled))
      await store.applyBlocks([{ height, hash, time, resolutions }])
      for (const { sequence } of resolutions) slots.remove(sequence)
      await adopter.applied()
      read += 1
      return true
    }
  }
}

/** The node has another chain, or another history. */
export class ForeignBlockError extends OperatorError {}

function assertFollows(block: ChainBlock, signer: SignerState): void {
  if (block.chainId !== signer.chainId) {
    throw new ForeignBlockError(
      `the node's block ${block.height} is of ${block.chainId}, the store is of ${signer.chainId}`
    )
  }
  if (block.previousHash !== signer.cursorHash) {
    throw new ForeignBlockError(
      `block ${block.height} of the node does not follow block ${signer.cursorHeight} of the store: the node has another history`
    )
  }
}

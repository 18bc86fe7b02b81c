import { randomUUID } from 'node:crypto'
import type { ChainBlock, ChainClient } from '../../services/chain-client/index.ts'
import { resolveSlots } from '../../services/submission/following/outcomes.ts'
import { createSlotTable } from '../../services/submission/state/slots.ts'
import { everyOne } from '../../services/submission/store/sqlite/operator-queries.ts'
import type { SlotResolution } from '../../services/submission/store/types.ts'
import { type OwnedStore, signerOf } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { createBlocks } from './blocks.ts'
import { contentKey, createRequestReader, type WalletRequest } from './wallet-requests.ts'

/** What was found in blocks. */
export interface Findings {
  blocks: number
  /** Submissions that a transaction unknown to the store has executed. */
  settled: number
  /** Executed requests that the store did not know. */
  recorded: number
}

/** Reads blocks after the cursor. */
export interface Reader {
  readonly findings: Findings
  /** Reads the next block. @returns false while there is none. @throws OperatorError, NodeUnavailableError, HistoryPrunedError */
  next(): Promise<boolean>
}

/**
 * Reads blocks as the server does, and also recognizes what transactions of the wallet that are not in the store have
 * executed: it compares each request with the contents of the unsettled submissions. A step that was interrupted can be
 * repeated.
 */
export async function createReader(
  { store, queries, writes }: OwnedStore,
  chain: Pick<ChainClient, 'block'>,
  brand: string
): Promise<Reader> {
  const { address } = signerOf(queries)
  const requestsIn = createRequestReader({ address, brand })
  const blocks = createBlocks(chain)
  const slots = createSlotTable()
  for (const variant of await store.openVariants()) slots.add(variant)
  const unsettled = new Map(
    queries
      .list(everyOne('queued', 'broadcast'))
      .map(({ submission, typeUrl, message }) => [contentKey(typeUrl, message), submission.submissionId])
  )
  const findings: Findings = { blocks: 0, settled: 0, recorded: 0 }

  /** Settles the submission of a request before its block is applied, so that the block does not queue it again. */
  function adopt({ content, typeUrl, message, feeId, execution, ...place }: WalletRequest): void {
    const submissionId = unsettled.get(content)
    if (submissionId !== undefined) {
      writes.settle({ ...execution, submissionId }, place)
      unsettled.delete(content)
      findings.settled += 1
      return
    }
    if (execution.status !== 'committed' || feeId === undefined) return
    const identity = `fee:${feeId}`
    const holder = queries.withIdentity(identity)
    if (holder !== undefined && holder.submission.status !== 'rejected') return
    const recorded = { ...execution, submissionId: randomUUID() }
    writes.record({ identity, typeUrl, message, execution: recorded }, place)
    findings.recorded += 1
  }

  /** The resolution without the submissions that are settled already. */
  function withoutSettled(resolution: SlotResolution): SlotResolution {
    const outcomes = resolution.outcomes.filter(
      ({ submissionId }) => queries.find(submissionId)?.submission.status === 'broadcast'
    )
    return { ...resolution, outcomes }
  }

  return {
    findings,
    async next() {
      const signer = signerOf(queries)
      const block = await blocks.next(signer.cursorHeight + 1)
      if (block === undefined) return false
      assertFollows(block, signer)
      for (const request of requestsIn(block)) {
        if (slots.findVariant(request.transactionHash) === undefined) adopt(request)
      }
      const { height, hash } = block
      const resolutions = resolveSlots(block, slots, signer).resolutions.map(withoutSettled)
      await store.applyBlocks([{ height, hash, resolutions }])
      for (const { sequence } of resolutions) slots.remove(sequence)
      findings.blocks += 1
      return true
    }
  }
}

function assertFollows(block: ChainBlock, signer: ReturnType<typeof signerOf>): void {
  if (block.chainId !== signer.chainId) {
    throw new OperatorError(
      `the node's block ${block.height} is of ${block.chainId}, the store is of ${signer.chainId}`
    )
  }
  if (block.previousHash !== signer.cursorHash) {
    throw new OperatorError(
      `block ${block.height} of the node does not follow block ${signer.cursorHeight} of the store: the node has another history`
    )
  }
}

import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { BlockTransaction, ChainBlock } from '../../chain-client/index.ts'
import { msgRequestResponse } from '../../messages/index.ts'
import { failedMessageIndex, isWalletRefused } from '../sdk-errors.ts'
import type { OpenSlot, SlotTable } from '../state/slots.ts'
import type { SlotResolution, SubmissionOutcome, Variant } from '../store/types.ts'
import type { Refusal, SubmissionEvent } from '../types.ts'
import { attributeOf, eventsByMessage } from './message-events.ts'

/** A lone message that fails this often without a reason of its own is refused: more tries tell nothing new. */
const MAX_ATTEMPTS_ALONE = 3

/** The sequence number of `address` that a transaction consumed, from the ante handler's event `tx.acc_seq`. */
function consumedSequence({ events }: BlockTransaction, address: string): number | undefined {
  for (const { type, attributes } of events) {
    if (type !== 'tx') continue
    for (const { key, value } of attributes) {
      if (key === 'acc_seq' && value.startsWith(`${address}/`)) return Number(value.slice(address.length + 1))
    }
  }
  return undefined
}

/** @param suspicion why it may be the culprit; undefined when it is known not to be */
function requeued(submissionId: string, suspicion: Refusal | undefined): SubmissionOutcome {
  return { submissionId, status: 'queued', suspicion }
}

function executed(
  submissionId: string,
  response: Uint8Array,
  events: SubmissionEvent[],
  tx: BlockTransaction
) {
  const { gasUsed, gasWanted } = tx
  if (events.some(({ type }) => type === 'error')) {
    const code = Number(attributeOf(events, 'error', 'code')) || 0
    const message = attributeOf(events, 'error', 'content') ?? ''
    return { submissionId, status: 'rejected', error: { code, codespace: 'transaction', message } } as const
  }
  const txId = Number(msgRequestResponse.decode(response).txId)
  return { submissionId, status: 'committed', txId, gasUsed, gasWanted, events } as const
}

function variantOutcomes(variant: Variant, tx: BlockTransaction, address: string): SubmissionOutcome[] {
  const { submissionIds, attempts } = variant
  const { code, codespace, log } = tx
  if (code === 0) {
    const { msgResponses } = TxMsgData.decode(tx.data)
    const events = eventsByMessage(tx, submissionIds.length)
    return submissionIds.map((submissionId, index) =>
      executed(submissionId, msgResponses[index]?.value ?? new Uint8Array(), events[index] ?? [], tx)
    )
  }
  // The operator's doing, not the users': they wait until the wallet may submit again.
  if (isWalletRefused(log, address))
    return submissionIds.map(submissionId => requeued(submissionId, undefined))
  const alone = submissionIds.length === 1
  const culprit = failedMessageIndex(log) ?? (alone && attempts + 1 >= MAX_ATTEMPTS_ALONE ? 0 : undefined)
  const refusal = { code, codespace, message: log }
  return submissionIds.map((submissionId, index) => {
    if (index === culprit) return { submissionId, status: 'rejected', error: refusal }
    return requeued(submissionId, culprit === undefined ? refusal : undefined)
  })
}

/** Every submission that some variant of the slot holds. */
function boundTo(slot: OpenSlot | undefined): string[] {
  return [...new Set(slot?.variants.flatMap(({ submissionIds }) => submissionIds))]
}

function resolution(
  sequence: number,
  tx: BlockTransaction,
  slots: SlotTable,
  address: string
): SlotResolution {
  const variant = slots.findVariant(tx.hash)
  const decided = variant ? variantOutcomes(variant, tx, address) : []
  const slot = slots.get(sequence)
  const left = boundTo(slot).filter(id => !variant?.submissionIds.includes(id))
  return {
    sequence,
    transactionHash: tx.hash,
    origin: variant ? 'own' : 'foreign',
    outcomes: [...decided, ...left.map(id => requeued(id, slot?.refusal))]
  }
}

/**
 * Reads which slots a block consumed and what became of their submissions. A block is the only thing that decides:
 * - a sequence is consumed when the ante handler's event says so, whoever signed the transaction;
 * - a transaction that failed in the ante handler consumed nothing, and its bytes may succeed later;
 * - a failed message is named by its index, and the others of its transaction never happened;
 * - a wallet that the chain takes nothing of leaves everything to be tried again.
 * @param address the wallet's
 */
export function resolveSlots(block: ChainBlock, slots: SlotTable, address: string): SlotResolution[] {
  const resolutions: SlotResolution[] = []
  for (const tx of block.transactions) {
    const ownSequence = tx.code === 0 ? slots.findVariant(tx.hash)?.sequence : undefined
    const sequence = consumedSequence(tx, address) ?? ownSequence
    if (sequence !== undefined) resolutions.push(resolution(sequence, tx, slots, address))
  }
  return resolutions
}

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { v7 as timeOrderedUuid } from 'uuid'
import type { Variant } from '../../services/submission/store/types.ts'
import type { SubmissionEvent } from '../../services/submission/types.ts'
import type { LeadingStore } from '../../test/helpers/leading-store.ts'
import { transferFields } from '../../test/helpers/transfer.ts'
import { transferRequest } from '../../test/helpers/transfer-request.ts'

const CREATOR = 'service15yk64u7zc9g9k2yr2wmzeva5qgwxps6ywuegr7'

/** Bytes of a signed transaction for each message in it. */
const BYTES_PER_MESSAGE = 460
const GAS_PER_MESSAGE = 45_000

const newRequest = () => transferRequest(randomUUID(), { creator: CREATOR })

/** The events of a message, as the chain emits them. */
function eventsOf(txId: number): SubmissionEvent[] {
  const attributes = Object.entries({
    tx_id: String(txId),
    creator: CREATOR,
    ...transferFields(randomUUID())
  })
  return [
    { type: 'message', attributes: [{ key: 'action', value: 'request' }] },
    { type: 'transaction_requested', attributes: attributes.map(([key, value]) => ({ key, value })) }
  ]
}

/** The engine's operations on its store. */
export interface StoreCycle {
  /** Takes that many submissions at once. */
  take(count: number): Promise<void>
  /** Takes a submission that is already in the store. */
  takeAgain(): Promise<void>
  queued(limit: number): Promise<void>
  /** Opens a slot with everything that was taken last. */
  pack(): Promise<void>
  /** Applies the block that holds the slot. */
  apply(): Promise<void>
  find(): Promise<void>
  /** What the server asks each second. */
  backlog(): Promise<void>
}

/** Runs the engine's operations on a store, from that sequence and height on. */
export function createStoreCycle(
  store: LeadingStore,
  from: { sequence: number; height: number }
): StoreCycle {
  let { sequence, height } = from
  let last = newRequest()
  let taken: string[] = []
  let packed: Variant | undefined

  return {
    async take(count) {
      const requests = Array.from({ length: count }, () => ({
        ...newRequest(),
        submissionId: timeOrderedUuid()
      }))
      await store.take(requests)
      last = requests[0] ?? last
      taken = requests.map(({ submissionId }) => submissionId)
    },
    async takeAgain() {
      await store.take([{ ...last, submissionId: timeOrderedUuid() }])
    },
    async queued(limit) {
      await store.queued(limit)
    },
    async pack() {
      const bytes = randomBytes(taken.length * BYTES_PER_MESSAGE)
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      const gasLimit = taken.length * GAS_PER_MESSAGE
      packed = { hash, sequence, bytes, gasLimit, feeAmount: 1_000_000n, submissionIds: taken }
      await store.openSlot(packed)
      sequence += 1
    },
    async apply() {
      if (!packed) throw new TypeError('nothing is packed')
      const { hash, gasLimit: gasWanted, submissionIds } = packed
      const gas = { gasWanted, gasUsed: Math.floor(gasWanted / 1.5) }
      height += 1
      const outcomes = submissionIds.map((submissionId, index) => {
        const txId = height * 1000 + index
        return { submissionId, status: 'committed', txId, events: eventsOf(txId), ...gas } as const
      })
      const resolution = {
        sequence: packed.sequence,
        transactionHash: hash,
        origin: 'own',
        outcomes
      } as const
      await store.applyBlocks([{ height, hash: randomBytes(32).toString('hex'), resolutions: [resolution] }])
    },
    async find() {
      await store.find(taken[0] ?? '')
    },
    async backlog() {
      await store.countUnsettled()
      await store.oldestUnsettled()
    }
  }
}

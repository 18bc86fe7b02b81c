import { transactionHash } from '../../../services/chain-client/index.ts'
import type {
  BlockOutcome,
  Identity,
  ListingFilter,
  SignedTx,
  SlotResolution,
  SubmissionOutcome
} from '../../../services/submission/contract.ts'

/** Wallet state of a new store. */
export const WALLET_STATE = {
  address: 'service1wallet',
  chainId: 'chain-1',
  accountNumber: 2n ** 60n,
  nextSequence: 7,
  cursorHeight: 100,
  cursorHash: 'AA',
  cursorResultsHash: 'NONE',
  controlPassed: false
}

export const REFUSAL = { code: 5, codespace: 'x', message: 'refused' }

export const fee = (value: string): Identity => ({ kind: 'fee', value })

/** Creates a request with the id `id-NAME`. */
export const request = (name: string, content = name, identities = [fee(name)]) => ({
  submissionId: `id-${name}`,
  identities,
  feeId: identities.find(({ kind }) => kind === 'fee')?.value,
  typeUrl: '/example.Msg',
  message: new TextEncoder().encode(content)
})

const bytesOf = (name: number | string) => new Uint8Array([0, 1, 255, ...Buffer.from(String(name))])

/** Returns the hash of the signed transaction with this name. */
export const hashOf = (name: number | string): string => transactionHash(bytesOf(name))

/** Creates a signed transaction for a slot, named after the sequence. */
export function signed(
  sequence: number,
  submissionIds: string[],
  name: number | string = sequence
): SignedTx {
  const [hash, bytes] = [hashOf(name), bytesOf(name)]
  return { hash, sequence, bytes, gasLimit: 200_000, feeAmount: 2n ** 70n, submissionIds }
}

export function committed(submissionId: string, txId?: number) {
  return { submissionId, status: 'committed' as const, txId, gasUsed: 5, gasWanted: 9, events: [] }
}

/** Creates a slot that its signed transaction has consumed. */
export const consumed = (
  sequence: number,
  outcomes: SubmissionOutcome[],
  origin: SlotResolution['origin'] = 'own'
): SlotResolution => ({ sequence, transactionHash: hashOf(sequence), origin, outcomes })

export const block = (height: number, ...resolutions: SlotResolution[]): BlockOutcome => {
  return { height, hash: `B${height}`, resultsHash: 'NONE', time: 0, resolutions }
}

const either = <T>(value: T) => [undefined, value]

const choices = {
  caller: either('shop'),
  statuses: either(['rejected', 'queued', 'rejected']),
  feeId: either('fee'),
  txId: either(12),
  from: either(3),
  to: either(8),
  after: [undefined, ...[2, 6, 9].map(createdAt => ({ createdAt, submissionId: 'id-m' }))]
}

/** Of every kind by which a submission can be found. */
const identifiers = ['12', 'fee', '0xAb', `0x${'f'.repeat(64)}`, 'msg_id-7_committed']

/** Every combination of the list filters. Times range from 1 to 10; callers are `shop` and `other`. */
export const listingFilters = Object.entries(choices).reduce<ListingFilter[]>(
  (filters, [field, values]) =>
    filters.flatMap(filter => values.map(value => ({ ...filter, [field]: value }))),
  [{}]
)

/** Identifiers with the filters of a page, for all callers and one. */
export const identifiedFilters = identifiers.flatMap((identifier): ListingFilter[] => [
  { identifier },
  { identifier, caller: 'shop' },
  { identifier, after: { createdAt: 6, submissionId: 'id-m' } },
  { identifier, statuses: ['committed', 'rejected'] }
])

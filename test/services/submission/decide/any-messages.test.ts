import { isDeepStrictEqual } from 'node:util'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { toChainBlock, transactionHash } from '../../../../services/chain-client/node/chain-block.ts'
import { headerHash, merkleRoot, sha256 } from '../../../../services/chain-client/node/hashes.ts'
import {
  createMessageTypes,
  type MessageType,
  msgRequestResponse
} from '../../../../services/messages/index.ts'
import { foreignRequests, resolveSlots } from '../../../../services/submission/decide/block.ts'
import { createIdentify } from '../../../../services/submission/identities.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import fc from '../../../helpers/fast-check.ts'
import { test } from '../../../helpers/tap.ts'

const ADDRESS = 'service1wallet'
const HASH = 'AB'.repeat(32)
const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1000, maxLength: 5000 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"}]}]', '[{"msg_index":0,"events":[]}]', '\\', 'msg_index', '&<>', '')
  }
)

/** `other` stands for messages from other programs. These can emit any events. */
const KINDS = ['transaction_requested', 'swap_transaction_requested', 'other'] as const
const otherType = fc.oneof(fc.constantFrom('coin_spent', 'transfer', 'error_log', ''), text)

/** Generates a message with its outcome. */
const message = fc.record({
  kind: fc.constantFrom(...KINDS),
  isRefused: fc.boolean(),
  amount: text,
  more: fc.array(fc.tuple(otherType, text, text), { maxLength: 3 })
})

type Message = typeof message extends fc.Arbitrary<infer M> ? M : never
type Sdk = '0.47' | '0.50' | '0.53'

const event = (type: string, ...attributes: [key: string, value: string][]) => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value }))
})
type Event = ReturnType<typeof event>

const idOf = ({ kind, isRefused }: Message, index: number) =>
  isRefused || kind === 'other' ? 0 : 1000 + index

/** Returns whether the service interprets the event type. Generated events must not have such a type. */
const isTaken = (type: string) => ['error', 'tx', ...KINDS].includes(type)

/** Returns a message's events in the SDK's order: the `message` event comes first. */
function eventsOf(sent: Message, index: number): Event[] {
  const result = sent.isRefused
    ? [event('error', ['code', String(index + 1)], ['content', `no ${index}`])]
    : [event(sent.kind, ['txId', String(idOf(sent, index))], ['amount', sent.amount])]
  return [
    event('message', ['action', '/request'], ['sender', ADDRESS]),
    ...sent.more
      .filter(([type]) => !isTaken(type))
      .map(([type, key, value]) => event(type, [key, value], ['code', value], ['txId', value])),
    ...(sent.kind === 'other' && !sent.isRefused ? [] : result)
  ]
}

function encodedBy<T>({ typeUrl, encode, fromPartial }: MessageType<T>, fields: Partial<T>) {
  return { typeUrl, value: encode(fromPartial(fields)).finish() }
}

/** Encodes the messages as a transaction. Each feeId contains the message's index. */
function bytesOf(messages: readonly Message[]): Uint8Array {
  const encoded = messages.map(({ kind, amount }, index) => {
    const options = JSON.stringify({ feeId: `fee-${index}`, amount })
    const request = { creator: ADDRESS, options }
    if (kind === 'other') return { typeUrl: '/other', value: Buffer.from(amount) }
    return kind === 'transaction_requested'
      ? encodedBy(requestTransaction, request)
      : encodedBy(requestSwapTransaction, request)
  })
  const body = TxBody.encode(TxBody.fromPartial({ messages: encoded })).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes: body })).finish()
}

/** Encodes events as Go does in an SDK 0.47 log: empty values and 0 are omitted. */
function logOf(perMessage: readonly Event[][]): string {
  const filled = (_name: string, value: unknown) => (value === '' || value === 0 ? undefined : value)
  const written = JSON.stringify(
    perMessage.map((events, msg_index) => ({ msg_index, events })),
    filled
  )
  return written.replace(/[&<>]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
}

/** Builds a block from a node's `block` and `block_results` responses, with the wallet's transaction in it. */
function answersFor(messages: readonly Message[], sdk: Sdk, failure: object = {}) {
  const height = '7'
  const perMessage = messages.map(eventsOf)
  const msgResponses = messages.map((sent, index) => {
    const response = {
      code: sent.isRefused ? '400' : '200',
      msg: sent.amount,
      txId: BigInt(idOf(sent, index))
    }
    return { typeUrl: '/response', value: msgRequestResponse.encode(response).finish() }
  })
  const marked = perMessage.flatMap((events, index) =>
    events.map(({ type, attributes }) => ({
      type,
      attributes: [...attributes, { key: 'msg_index', value: String(index) }]
    }))
  )
  const sequence = event('tx', ['acc_seq', `${ADDRESS}/3`])
  const result = {
    code: 0,
    codespace: '',
    // The log is empty since SDK 0.50; SDK 0.53 omits the field.
    ...(sdk !== '0.53' && { log: sdk === '0.47' ? logOf(perMessage) : '' }),
    data: Buffer.from(TxMsgData.encode({ data: [], msgResponses }).finish()).toString('base64'),
    events: [sequence, ...(sdk === '0.47' ? perMessage.flat() : marked)],
    gas_wanted: '9',
    gas_used: '5',
    ...failure
  }
  const bytes = bytesOf(messages)
  const header = {
    version: { block: '11' },
    chain_id: 'c',
    height,
    time: '2026-01-01T00:00:00Z',
    last_block_id: { hash: HASH, parts: { total: 1, hash: HASH } },
    last_commit_hash: HASH,
    data_hash: merkleRoot([sha256(bytes)]).toString('hex'),
    validators_hash: HASH,
    next_validators_hash: HASH,
    consensus_hash: HASH,
    app_hash: HASH,
    last_results_hash: HASH,
    evidence_hash: HASH,
    proposer_address: ''
  }
  const hash = headerHash(header).toString('hex')
  const txs = [Buffer.from(bytes).toString('base64')]
  return toChainBlock(
    7,
    { block_id: { hash }, block: { header, data: { txs } } },
    JSON.parse(JSON.stringify({ height, txs_results: [result] }))
  )
}

/** Returns how the block resolves the wallet's slot. */
function resolutionOf(messages: readonly Message[], sdk: Sdk, failure?: object) {
  const slots = createSlotTable()
  const bytes = bytesOf(messages)
  const submissionIds = messages.map((_, index) => `id-${index}`)
  slots.add({ hash: transactionHash(bytes), sequence: 3, bytes, gasLimit: 9, feeAmount: 1n, submissionIds })
  const wallet = { address: ADDRESS, publicKey: new Uint8Array(33), nextSequence: 4 }
  return resolveSlots(answersFor(messages, sdk, failure), slots, wallet).resolutions[0]
}

/** Returns the requests adopted from a block whose transaction the store did not sign. */
function adoptedOf(messages: readonly Message[], sdk: Sdk, failure?: object) {
  const identify = createIdentify('service', ADDRESS)
  const adopted = foreignRequests(answersFor(messages, sdk, failure), {
    address: ADDRESS,
    identify,
    isOwn: () => false
  })
  return adopted.flatMap(({ identities, execution }) =>
    execution ? { ...execution, submissionId: identities[0]?.value.replace('fee', 'id') } : []
  )
}

function expectedOf(sent: Message, index: number) {
  const submissionId = `id-${index}`
  const error = { code: index + 1, codespace: 'transaction', message: `no ${index}` }
  return sent.isRefused
    ? { submissionId, status: 'rejected', error }
    : {
        submissionId,
        status: 'committed',
        txId: idOf(sent, index) || undefined,
        gasUsed: 5,
        gasWanted: 9,
        events: eventsOf(sent, index)
      }
}

const messages = fc.array(message, { minLength: 1, maxLength: 200, size: 'max' })
const RUNS = { numRuns: 20, endOnFailure: true }

for (const sdk of ['0.47', '0.50', '0.53'] as const) {
  test(`SDK ${sdk}: reads the right result for every message in a transaction of 1 to 200 arbitrary messages`, async t => {
    fc.assert(
      fc.property(messages, sent => {
        const expected = sent.map(expectedOf)
        const requests = expected.filter((_, index) => sent[index]?.kind !== 'other')
        return (
          isDeepStrictEqual(resolutionOf(sent, sdk)?.outcomes, expected) &&
          isDeepStrictEqual(adoptedOf(sent, sdk), requests)
        )
      }),
      RUNS
    )
    t.pass('every run matched the chain’s results')
  })

  test(`SDK ${sdk}: of a failed transaction, suspects only the message named in the log, and adopts nothing`, async t => {
    fc.assert(
      fc.property(messages, fc.nat(199), text, (sent, place, reason) => {
        const culprit = place % sent.length
        const log = `failed to execute message; message index: ${culprit}: ${reason}`
        const failure = { code: 7, codespace: 'transaction', log, data: null }
        const suspects = resolutionOf(sent, sdk, failure)?.failure?.suspects
        return isDeepStrictEqual(suspects, [`id-${culprit}`]) && adoptedOf(sent, sdk, failure).length === 0
      }),
      RUNS
    )
    t.pass('every run had exactly one suspect')
  })
}

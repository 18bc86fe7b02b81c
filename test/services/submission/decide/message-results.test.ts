import { isDeepStrictEqual } from 'node:util'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BlockTransaction, ChainEvent } from '../../../../services/chain-client/index.ts'
import { createMessageTypes, msgRequestResponse } from '../../../../services/messages/index.ts'
import { foreignRequests, resolveSlots } from '../../../../services/submission/decide/block.ts'
import { messageOutcomes } from '../../../../services/submission/decide/message-results.ts'
import { createIdentify } from '../../../../services/submission/identities.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import { blockTransaction, chainBlock } from '../../../helpers/chain-block.ts'
import fc from '../../../helpers/fast-check.ts'
import { test } from '../../../helpers/tap.ts'

const ADDRESS = 'service1wallet'
const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

const event = (type: string, ...attributes: [key: string, value: string][]): ChainEvent => ({
  type,
  attributes: attributes.map(([key, value]) => ({ key, value }))
})

const responseOf = (txId: bigint, code = '200', msg = 'ok') =>
  msgRequestResponse.encode({ code, msg, txId }).finish()

const dataOf = (responses: readonly Uint8Array[]) =>
  TxMsgData.encode(
    TxMsgData.fromPartial({ msgResponses: responses.map(value => ({ typeUrl: '/x', value })) })
  ).finish()

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

/** Generates a message with its outcome. */
const message = fc.record({
  kind: fc.constantFrom(...KINDS),
  isRefused: fc.boolean(),
  amount: text,
  more: fc.array(fc.tuple(fc.oneof(fc.constantFrom('coin_spent', 'transfer', ''), text), text, text), {
    maxLength: 3
  })
})
type Message = typeof message extends fc.Arbitrary<infer M> ? M : never

const idOf = ({ kind, isRefused }: Message, index: number) =>
  isRefused || kind === 'other' ? 0 : 1000 + index

/** Returns a message's events in the SDK's order. Generated events have no type that the service interprets. */
function eventsOf(sent: Message, index: number): ChainEvent[] {
  const more = sent.more.filter(([type]) => !['error', 'tx', ...KINDS].includes(type))
  const result = sent.isRefused
    ? event('error', ['code', String(index + 1)], ['content', `no ${index}`])
    : event(sent.kind, ['txId', String(idOf(sent, index))], ['amount', sent.amount])
  return [
    event('message', ['action', '/request'], ['sender', ADDRESS]),
    ...more.map(([type, key, value]) => event(type, [key, value], ['code', value], ['txId', value])),
    ...(sent.kind === 'other' && !sent.isRefused ? [] : [result])
  ]
}

/** Encodes the messages as a transaction. Each feeId contains the message's index. */
function bytesOf(messages: readonly Message[]): Uint8Array {
  const encoded = messages.map(({ kind, amount }, index) => {
    const request = { creator: ADDRESS, options: JSON.stringify({ feeId: `fee-${index}`, amount }) }
    if (kind === 'other') return { typeUrl: '/other', value: Buffer.from(amount) }
    const { typeUrl, encode, fromPartial } = requestTransaction
    if (kind === 'transaction_requested') return { typeUrl, value: encode(fromPartial(request)).finish() }
    const { typeUrl: swapUrl, ...swap } = requestSwapTransaction
    return { typeUrl: swapUrl, value: swap.encode(swap.fromPartial(request)).finish() }
  })
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: encoded })).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish()
}

/** Encodes events as Go does in an SDK 0.47 log: empty values and 0 are omitted. */
function logOf(perMessage: readonly ChainEvent[][]): string {
  const filled = (_name: string, value: unknown) => (value === '' || value === 0 ? undefined : value)
  return JSON.stringify(
    perMessage.map((events, msg_index) => ({ msg_index, events })),
    filled
  ).replace(/[&<>]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
}

type Sdk = '0.47' | '0.50'

function transactionOf(messages: readonly Message[], sdk: Sdk): BlockTransaction {
  const perMessage = messages.map(eventsOf)
  const marked = perMessage.flatMap((events, index) =>
    events.map(({ type, attributes }) => ({
      type,
      attributes: [...attributes, { key: 'msg_index', value: String(index) }]
    }))
  )
  return blockTransaction({
    bytes: bytesOf(messages),
    data: dataOf(
      messages.map((sent, index) =>
        responseOf(BigInt(idOf(sent, index)), sent.isRefused ? '400' : '200', sent.amount)
      )
    ),
    log: sdk === '0.47' ? logOf(perMessage) : '',
    events: [event('tx', ['acc_seq', `${ADDRESS}/3`]), ...(sdk === '0.47' ? perMessage.flat() : marked)]
  })
}

/** Returns how a block with the wallet's own transaction resolves its slot. */
function resolutionOf(transaction: BlockTransaction, submissionIds: string[]) {
  const slots = createSlotTable()
  const { hash, bytes } = transaction
  slots.add({ hash, sequence: 3, bytes, gasLimit: 9, feeAmount: 1n, submissionIds })
  const wallet = { address: ADDRESS, publicKey: new Uint8Array(33), nextSequence: 4 }
  return resolveSlots(chainBlock(7, { transactions: [transaction] }), slots, wallet).resolutions[0]
}

/** Returns the requests adopted from a block whose transaction the store did not sign. */
function adoptedOf(transaction: BlockTransaction) {
  const wallet = { address: ADDRESS, identify: createIdentify('service', ADDRESS), isOwn: () => false }
  return foreignRequests(chainBlock(7, { transactions: [transaction] }), wallet).flatMap(
    ({ identities, execution }) =>
      execution ? { ...execution, submissionId: identities[0]?.value.replace('fee', 'id') } : []
  )
}

function expectedOf(sent: Message, index: number) {
  const submissionId = `id-${index}`
  const error = { code: index + 1, codespace: 'transaction', message: `no ${index}` }
  if (sent.isRefused) return { submissionId, status: 'rejected', error }
  const gas = { gasUsed: 5, gasWanted: 9 }
  const txId = idOf(sent, index) || undefined
  return { submissionId, status: 'committed', txId, ...gas, events: eventsOf(sent, index) }
}

const messages = fc.array(message, { minLength: 1, maxLength: 200, size: 'max' })
const RUNS = { numRuns: 20, endOnFailure: true }

for (const sdk of ['0.47', '0.50'] as const) {
  test(`SDK ${sdk}: reads every message's result in a transaction of 1 to 200 arbitrary ones`, async t => {
    const property = fc.property(messages, fc.nat(199), text, (sent, place, reason) => {
      const transaction = transactionOf(sent, sdk)
      const ids = sent.map((_, index) => `id-${index}`)
      const expected = sent.map(expectedOf)
      const requests = expected.filter((_, index) => sent[index]?.kind !== 'other')
      const culprit = place % sent.length
      const log = `failed to execute message; message index: ${culprit}: ${reason}`
      const failed = { ...transaction, code: 7, codespace: 'transaction', log, data: new Uint8Array() }
      return (
        isDeepStrictEqual(resolutionOf(transaction, ids)?.outcomes, expected) &&
        isDeepStrictEqual(adoptedOf(transaction), requests) &&
        isDeepStrictEqual(resolutionOf(failed, ids)?.failure?.suspects, [`id-${culprit}`]) &&
        adoptedOf(failed).length === 0
      )
    })
    fc.assert(property, RUNS)
    t.pass('every run matched the chain’s results')
  })
}

const requested = (txId: string, type = 'transaction_requested') => event(type, ['memo', '7'], ['txId', txId])
const failure = event('error', ['code', '42'], ['content', 'no'])
const BAD_LOG = '[{"msg_index":0,"events":[{"type"'

type Change = Partial<BlockTransaction>

/** The response and the events of a lone message, and its transaction id; `none` if it is committed without one. */
const IDS: [id: 11 | 'none', response: Uint8Array | undefined, events: ChainEvent[], change?: Change][] = [
  [11, responseOf(11n), [requested('11')]],
  [11, responseOf(11n), []],
  [11, responseOf(11n), [requested('eleven')]],
  [11, undefined, [requested('11')]],
  [11, undefined, [requested('11', 'swap_transaction_requested')]],
  [11, responseOf(0n), [requested('11')]],
  [11, new Uint8Array([0x18]), [requested('11')]],
  [11, undefined, [requested('11')], { data: new Uint8Array([0xff]) }],
  ['none', undefined, []],
  ['none', new Uint8Array(), []],
  ['none', responseOf(0n), []],
  ['none', responseOf(2n ** 53n), []],
  ['none', responseOf(11n), [requested('12')]],
  ['none', undefined, [requested('11'), requested('12')]],
  ['none', undefined, [requested('11', 'transfer_requested')]],
  ['none', responseOf(11n), [failure]],
  ['none', responseOf(11n, '400'), [failure]],
  ['none', undefined, [requested('11'), failure]],
  ['none', undefined, [], { log: '' }],
  ['none', undefined, [requested('11')], { log: BAD_LOG }],
  ['none', undefined, [requested('11')], { log: '[null]' }],
  ...['', '0', '-1', '1.5', '1e1', '0x1', '"1"', ' 1', '9007199254740993'].map((id): (typeof IDS)[number] => [
    'none',
    undefined,
    [requested(id)]
  ])
]

const lone = (response: Uint8Array | undefined, events: ChainEvent[], change: Change = {}) => {
  const log = JSON.stringify([{ msg_index: 0, events }])
  const transaction = blockTransaction({ data: dataOf(response ? [response] : []), log, ...change })
  return messageOutcomes(transaction, ['a']).executions[0]
}

test('commits a message with an id only if its response and events agree on it', async t => {
  for (const [id, response, events, change] of IDS) {
    const outcome = lone(response, events, change)
    const txId = outcome?.status === 'committed' ? (outcome.txId ?? 'none') : 'refused'
    t.equal(txId, id, JSON.stringify({ response, events, change }))
  }
})

const long = `start ${'x'.repeat(100_000)} end`

/** The response and the `error` event of a lone message that is refused, and the refusal. */
const REFUSALS: [response: Uint8Array | undefined, events: ChainEvent[], refusal: object][] = [
  [responseOf(0n, '400'), [failure], { code: 42, codespace: 'transaction', message: 'no' }],
  [responseOf(0n), [failure], { code: 42, message: 'no' }],
  [responseOf(0n, ''), [failure], { code: 42, message: 'no' }],
  [responseOf(0n, '400'), [], { code: 400, message: 'ok' }],
  [responseOf(0n, '400'), [requested('11')], { code: 400, message: 'ok' }],
  [undefined, [event('error', ['content', 'no'])], { code: 1, message: 'no' }],
  [undefined, [event('error', ['code', 'E42'], ['content', 'no'])], { code: 1, message: 'no' }],
  [undefined, [event('error', ['code', '-1'], ['content', 'no'])], { code: 1, message: 'no' }],
  [undefined, [event('error')], { code: 1, message: /\S/ }],
  [undefined, [event('error', ['content', long])], { message: /^start x+ … \d+ characters … x+ end$/ }]
]

test('rejects a message that its response or event refuses, with the event’s reason', async t => {
  for (const [response, events, error] of REFUSALS)
    t.match(lone(response, events), { status: 'rejected', error }, JSON.stringify(error))
})

test('ignores the message responses unless there is exactly one per message', async t => {
  const log = JSON.stringify([
    { events: [{ type: 'x', attributes: null }, requested('11')] },
    { events: null },
    { events: [requested('13')] }
  ])
  const transaction = blockTransaction({ data: dataOf([11n, 13n].map(id => responseOf(id))), log })
  t.match(messageOutcomes(transaction, ['a', 'b', 'c']).executions, [
    { txId: 11 },
    { txId: undefined },
    { txId: 13 }
  ])
})

test('matches events by transaction id if the log does not assign them to messages', async t => {
  const events = [requested('11'), failure, requested('13')]
  const own = { events: [requested('11')] }
  for (const log of [
    '',
    `${JSON.stringify([own, { events: [] }, { events: [] }]).slice(0, 40)} … 900 characters … "}]}]`,
    JSON.stringify([own]),
    JSON.stringify([own, own, own, own]),
    JSON.stringify([{ msg_index: 0 }, { msg_index: 1 }, { msg_index: 1 }]),
    JSON.stringify([{ msg_index: 0 }, { msg_index: 1 }, { msg_index: 7 }])
  ]) {
    const data = dataOf([11n, 0n, 13n].map(id => responseOf(id)))
    const { executions } = messageOutcomes(blockTransaction({ events, data, log }), ['a', 'b', 'c'])
    t.match(
      executions,
      [
        { status: 'committed', txId: 11, events: [requested('11')] },
        { status: 'committed', txId: undefined, events: [] },
        { status: 'committed', txId: 13, events: [requested('13')] }
      ],
      log
    )
  }
})

test('SDK 0.50: keeps a msg_index attribute of a module, and ignores an invalid index', async t => {
  const own = event('ibc', ['msg_index', '2'], ['k', 'v'])
  const events = [
    ...['0', '', '9'].map(at => event('ibc', ['msg_index', '2'], ['k', 'v'], ['msg_index', at])),
    own
  ]
  const { executions } = messageOutcomes(blockTransaction({ events }), ['a', 'b', 'c'])
  t.match(executions, [{ events: [own] }, { events: [] }, { events: [] }])
})

test('rejects the results of a block with unreadable gas', async t => {
  for (const gas of [
    { gasUsed: undefined },
    { gasWanted: undefined },
    { gasWanted: 2n ** 63n },
    { gasUsed: -1n }
  ])
    t.throws(() => messageOutcomes(blockTransaction(gas), ['a']), {
      name: 'BlockResultError',
      message: 'transaction TX: gasUsed or gasWanted is missing or not a safe integer'
    })
})

import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { BlockTransaction, ChainEvent } from '../../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import { messageOutcomes } from '../../../../services/submission/decide/message-results.ts'
import { test } from '../../../helpers/tap.ts'
import { blockTransaction } from '../../chain-block.ts'

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

const requested = (txId: string, type = 'transaction_requested') => event(type, ['memo', '7'], ['txId', txId])
const failure = event('error', ['code', '42'], ['content', 'no'])

for (const sdk of ['0.47', '0.50']) {
  test(`SDK ${sdk}: each message has its own events, transaction id and refusal`, async t => {
    const spent = event('coin_spent', ['txId', '9'], ['code', '5'], ['memo', '"}]}]&<>'])
    const swapped = event('swap_transaction_requested', ['txId', '13'])
    const perMessage = [
      [spent, requested('11')],
      [spent, failure],
      [swapped, spent]
    ]
    const log = JSON.stringify(
      perMessage.map((events, msg_index) => ({ msg_index: msg_index || undefined, events }))
    )
    const marked = perMessage.flatMap((events, at) =>
      events.map(({ type, attributes }) => ({
        type,
        attributes: [...attributes, { key: 'msg_index', value: String(at) }]
      }))
    )
    const data = dataOf([responseOf(11n), responseOf(0n, '400'), responseOf(13n)])
    const change = sdk === '0.47' ? { log, events: perMessage.flat() } : { log: '', events: marked }
    const gas = { gasUsed: 5, gasWanted: 9 }
    t.strictSame(messageOutcomes(blockTransaction({ data, ...change }), ['a', 'b', 'c']).executions, [
      { submissionId: 'a', status: 'committed', txId: 11, ...gas, events: perMessage[0] },
      { submissionId: 'b', status: 'rejected', error: { code: 42, codespace: 'transaction', message: 'no' } },
      { submissionId: 'c', status: 'committed', txId: 13, ...gas, events: perMessage[2] }
    ])
  })
}
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
  const expected = [
    { status: 'committed', txId: 11, events: [requested('11')] },
    { status: 'committed', txId: undefined, events: [] },
    { status: 'committed', txId: 13, events: [requested('13')] }
  ]
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
    t.match(executions, expected, log)
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
  const unused = [{ gasUsed: undefined }, { gasUsed: -1n }]
  const message = 'transaction TX: gasUsed or gasWanted is missing or not a safe integer'
  for (const gas of [...unused, { gasWanted: undefined }, { gasWanted: 2n ** 63n }])
    t.throws(() => messageOutcomes(blockTransaction(gas), ['a']), { name: 'BlockResultError', message })
})

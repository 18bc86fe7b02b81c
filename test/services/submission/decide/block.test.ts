import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainEvent } from '../../../../services/chain-client/index.ts'
import { createMessageTypes, msgRequestResponse } from '../../../../services/messages/index.ts'
import type { SignedTx } from '../../../../services/submission/contract.ts'
import { foreignRequests, resolveSlots } from '../../../../services/submission/decide/block.ts'
import { createIdentify } from '../../../../services/submission/identities.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import { blockTransaction, chainBlock, PUBLIC_KEY, signedBytes } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'

const ADDRESS = 'service1wallet'

function signedTx(change: Partial<SignedTx> = {}): SignedTx {
  const ids = { submissionIds: ['a', 'b', 'c'] }
  return { hash: 'H', sequence: 7, bytes: new Uint8Array(), gasLimit: 1, feeAmount: 1n, ...ids, ...change }
}

const using = (sequence: string, address = ADDRESS) => [
  { type: 'tx', attributes: [{ key: 'acc_seq', value: `${address}/${sequence}` }] }
]

const transaction = (change: Partial<BlockTransaction> = {}) =>
  blockTransaction({ hash: 'H', bytes: signedBytes(7), events: using('7'), ...change })

const WALLET = { address: ADDRESS, publicKey: PUBLIC_KEY, nextSequence: 8 }

function read(transactions: BlockTransaction[], signedTxs = [signedTx()], nextSequence = 8, consumed = 0) {
  const slots = createSlotTable()
  slots.consumed = consumed
  for (const each of signedTxs) slots.add(each)
  const { resolutions, ignored } = resolveSlots(chainBlock(3, { transactions }), slots, {
    ...WALLET,
    nextSequence
  })
  return { resolutions, ignored }
}

const resolve = (transactions: BlockTransaction[], signedTxs?: SignedTx[]) =>
  read(transactions, signedTxs).resolutions

function responses(...txIds: bigint[]): Uint8Array {
  const msgResponses = txIds.map(txId => ({
    typeUrl: '/x',
    value: msgRequestResponse.encode({ code: '200', msg: 'ok', txId }).finish()
  }))
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
}

const requeued = (submissionId: string) => ({ submissionId, status: 'queued' })

const OTHER_KEY = new Uint8Array(33).fill(3)

const from = (creator: string): Any => ({
  typeUrl: '/x',
  value: Buffer.concat([Buffer.of(0x0a, creator.length), Buffer.from(creator)])
})

/** Foreign transactions with what an event reports, and whether they consume sequence 7. */
const FOREIGN: Record<
  string,
  [bytes: Uint8Array, reported: string | undefined, expected: string, code?: number]
> = {
  'signed by the wallet': [signedBytes(7), '7', 'consumed'],
  'signed by the wallet, without an event': [signedBytes(7), undefined, 'consumed'],
  'signed by the wallet, with a false event': [signedBytes(7), '9', 'consumed'],
  'signed by the wallet, with another sequence than reported': [signedBytes(6), '7', 'ignored'],
  'signed by another wallet, with a false event': [signedBytes(7, { key: OTHER_KEY }), '7', 'ignored'],
  'signed by nobody, with a false event': [new Uint8Array(), '7', 'ignored'],
  'unreadable, with a false event': [Uint8Array.of(255), '7', 'ignored'],
  'unordered, with an event': [signedBytes(7, { unordered: true }), '7', 'ignored'],
  'without a key, from the wallet': [
    signedBytes(7, { key: null, messages: [from(ADDRESS)] }),
    undefined,
    'consumed'
  ],
  'without a key, from another wallet': [
    signedBytes(7, { key: null, messages: [from('service1other')] }),
    '7',
    'consumed, says an event'
  ],
  'without a key, from another wallet, without an event': [
    signedBytes(7, { key: null, messages: [from('service1other')] }),
    undefined,
    'no event'
  ],
  'without a key and with another sequence than reported': [signedBytes(6, { key: null }), '7', 'ignored'],
  'failed with an event': [signedBytes(7), '7', 'consumed', 5],
  'failed without an event': [signedBytes(7), undefined, 'no event', 5],
  'failed, signed by another wallet, with a false event': [
    signedBytes(7, { key: OTHER_KEY }),
    '7',
    'ignored',
    5
  ]
}

for (const [title, [bytes, reported, expected, code = 0]] of Object.entries(FOREIGN)) {
  test(`reads the sequence of a foreign transaction: ${title}`, async t => {
    const events = reported === undefined ? [] : using(reported)
    const { resolutions, ignored } = read([transaction({ hash: 'X', bytes, events, code })])
    const [resolution] = resolutions
    const consumed = resolution?.isDoubtful ? 'consumed, says an event' : 'consumed'
    t.equal(resolution ? consumed : ignored.length > 0 ? 'ignored' : 'no event', expected)
    if (resolution)
      t.match(resolution, { sequence: 7, origin: 'foreign', outcomes: ['a', 'b', 'c'].map(requeued) })
  })
}

test('requeues the messages of a failed transaction without an event once its sequence is known to be consumed', async t => {
  const open = [signedTx(), signedTx({ hash: 'H8', sequence: 8, submissionIds: ['d'] })]
  const failed = transaction({ code: 5, codespace: 'sdk', log: 'no', events: [] })
  const later = transaction({ hash: 'H8', data: responses(1n), events: [] })
  const passed = {
    ...{ sequence: 7, origin: 'own', outcomes: ['a', 'b', 'c'].map(requeued), isDoubtful: false },
    ...{ transactionHash: 'H', failure: { suspects: ['a', 'b', 'c'], refusal: { message: 'no' } } }
  }
  const executed = { sequence: 8, outcomes: [{ submissionId: 'd', status: 'committed' }] }
  t.strictSame(resolve([failed], open), [])
  t.match(resolve([failed, later], open), [passed, executed])
  t.match(
    resolve([later], open),
    [{ ...passed, failure: undefined }, executed],
    'it failed in an earlier block'
  )
  t.match(read([failed], open, 9, 8).resolutions, [passed], 'the account shows it')
  t.strictSame(read([failed], open, 9, 7).resolutions, [])
  const foreign = transaction({ hash: 'X', bytes: signedBytes(9), events: [] })
  t.match(resolve([failed, foreign], open), [
    passed,
    { sequence: 8, failure: undefined },
    { sequence: 9, origin: 'foreign' }
  ])
  const alike = { ...foreign, events: using('9'), code: 5 }
  t.strictSame(resolve([failed, alike], open), [], 'a failure shows nothing about lower sequences')
})

test('requeues every message of a failed transaction, and suspects the message named in the log, or all if none is named', async t => {
  const index = (number: number) => `failed to execute message; message index: ${number}: nope: unauthorized`
  for (const [log, messages, suspects] of [
    [index(1), ['a', 'b', 'c'], ['b']],
    [index(3), ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['out of gas in location: x', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['out of gas in location: x', ['a'], ['a']]
  ] as const) {
    const failed = transaction({ code: 4, codespace: 'sdk', log })
    const [resolution] = resolve([failed], [signedTx({ submissionIds: [...messages] })])
    t.strictSame(resolution?.outcomes, messages.map(requeued))
    const refusal = { code: 4, codespace: 'sdk', message: log }
    t.strictSame(resolution?.failure, { suspects, messages: messages.length, refusal, by: 'block' })
  }
})

test('ignores a transaction that failed before its messages ran, and transactions from other wallets', async t => {
  t.strictSame(resolve([transaction({ code: 32, codespace: 'sdk', events: [] })]), [])
  const bytes = signedBytes(7, { key: OTHER_KEY })
  t.strictSame(resolve([transaction({ hash: 'X', bytes, events: using('7', 'service1walletother') })]), [])
  const failed = { hash: 'X', code: 5, events: using('7').map(event => ({ ...event, type: 'wasm' })) }
  t.strictSame(resolve([transaction(failed)]), [], 'any contract can emit such an event')
})

test('requeues every submission of a slot that a foreign transaction consumed', async t => {
  const signedTxs = [signedTx(), signedTx({ hash: 'H2', submissionIds: ['a', 'd'] })]
  const slot = {
    sequence: 7,
    transactionHash: 'FOREIGN',
    origin: 'foreign',
    failure: undefined,
    isDoubtful: false
  }
  const outcomes = ['a', 'b', 'c', 'd'].map(requeued)
  t.strictSame(resolve([transaction({ hash: 'FOREIGN' })], signedTxs), [{ ...slot, outcomes }])
})

test('requeues the submissions that are missing from a slot’s executed transaction', async t => {
  const signedTxs = [
    signedTx({ submissionIds: ['a', 'b', 'c', 'd', 'e'] }),
    signedTx({ hash: 'H2', submissionIds: ['a', 'b'] }),
    signedTx({ hash: 'H3', submissionIds: ['a'] }),
    signedTx({ hash: 'H4', submissionIds: [] })
  ]
  const executed = (hash: string) => resolve([transaction({ hash, data: responses(11n) })], signedTxs)[0]
  t.strictSame(executed('H4')?.outcomes, ['a', 'b', 'c', 'd', 'e'].map(requeued))
  t.match(executed('H3')?.outcomes, [
    { submissionId: 'a', status: 'committed' },
    ...['b', 'c', 'd', 'e'].map(requeued)
  ])
  t.equal(executed('H3')?.failure, undefined)
})

test('does not settle, requeue or suspect a submission that has left its slot', async t => {
  const left = [signedTx({ submissionIds: ['a', '', 'c'] })]
  const [executed] = resolve([transaction({ data: responses(11n, 12n, 13n) })], left)
  const outcomes = executed?.outcomes.map(({ submissionId, status }) => `${submissionId} ${status}`)
  t.strictSame(outcomes, ['a committed', 'c committed'])
  const [foreign] = resolve([transaction({ hash: 'FOREIGN' })], left)
  t.strictSame(foreign?.outcomes, ['a', 'c'].map(requeued))
  const [failed] = resolve([transaction({ code: 11, codespace: 'sdk', log: 'out of gas' })], left)
  t.strictSame(failed?.failure?.suspects, ['a', 'c'])
})

test('does not requeue a submission that left its slot after the newest transaction had dropped it', t => {
  const slots = createSlotTable()
  slots.add(signedTx({ submissionIds: ['a', 'b'] }))
  slots.add(signedTx({ hash: 'H2', submissionIds: ['a'] }))
  t.equal(slots.leave('b'), 7)
  const block = chainBlock(3, { transactions: [transaction({ hash: 'H2', data: responses(11n) })] })
  const { resolutions } = resolveSlots(block, slots, WALLET)
  t.match(resolutions[0]?.outcomes, [{ submissionId: 'a', status: 'committed' }])
  t.equal(resolutions[0]?.outcomes.length, 1)
  t.end()
})

/** Returns the outcome of the only message in a successful transaction with the given response and events. */
function lone(
  response: Uint8Array | undefined,
  events: ChainEvent[],
  change: Partial<BlockTransaction> = {}
) {
  const msgResponses = response === undefined ? [] : [{ typeUrl: '/x', value: response }]
  const data = TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
  const log = JSON.stringify([{ msg_index: 0, events }])
  const [resolution] = resolve([transaction({ data, log, ...change })], [signedTx({ submissionIds: ['a'] })])
  return resolution?.outcomes[0]
}

const response = (txId: bigint, code = '200') => msgRequestResponse.encode({ code, msg: 'ok', txId }).finish()
const requested = (txId: string, type = 'transaction_requested') => ({
  type,
  attributes: [
    { key: 'memo', value: '7' },
    { key: 'txId', value: txId }
  ]
})
const errorEvent = (attributes: Record<string, string>) => ({
  type: 'error',
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value }))
})

test('reads the transaction id from the message response, its event or both', async t => {
  for (const outcome of [
    lone(response(11n), [requested('11')]),
    lone(response(11n), []),
    lone(response(11n), [requested('eleven')]),
    lone(undefined, [requested('11')]),
    lone(undefined, [requested('11', 'swap_transaction_requested')]),
    lone(response(0n), [requested('11')]),
    lone(new Uint8Array([0x18]), [requested('11')]),
    lone(undefined, [requested('11')], { data: new Uint8Array([0xff]) })
  ]) {
    t.match(outcome, { submissionId: 'a', status: 'committed', txId: 11 })
  }
})

test('commits a message without a transaction id if the id is missing, unreadable or contradictory', async t => {
  const failure = errorEvent({ code: '42', content: 'no' })
  const cases: [string, ReturnType<typeof lone>][] = [
    ['nothing', lone(undefined, [])],
    ['an empty response', lone(new Uint8Array(), [])],
    ['no id in the response', lone(response(0n), [])],
    ['an id above 2^53 − 1', lone(response(2n ** 53n), [])],
    ['a different id in the event', lone(response(11n), [requested('12')])],
    ['two ids in events', lone(undefined, [requested('11'), requested('12')])],
    ['an id in another event type', lone(undefined, [requested('11', 'transfer_requested')])],
    ['an id in the response and an error event', lone(response(11n), [failure])],
    ['an id, but a code of refusal, and an error event', lone(response(11n, '400'), [failure])],
    ['a success event and an error event', lone(undefined, [requested('11'), failure])],
    ['no log', lone(undefined, [], { log: '' })],
    ['a truncated log', lone(undefined, [requested('11')], { log: '[{"msg_index":0,"events":[{"type"' })],
    ['a log with an unexpected shape', lone(undefined, [requested('11')], { log: '[null]' })]
  ]
  for (const ids of ['', '0', '-1', '1.5', '1e1', '0x1', '"1"', ' 1', '9007199254740993']) {
    cases.push([`event ${ids}`, lone(undefined, [requested(ids)])])
  }
  for (const [name, outcome] of cases) {
    t.match(outcome, { submissionId: 'a', status: 'committed', gasUsed: 5, gasWanted: 9 }, name)
    t.equal(outcome?.status === 'committed' ? outcome.txId : 'no', undefined, name)
  }
})

test('ignores the message responses unless there is exactly one per message', async t => {
  const none = { type: 'x', attributes: null }
  const log = JSON.stringify([
    { events: [none, requested('11')] },
    { events: null },
    { events: [requested('13')] }
  ])
  const [resolution] = resolve([transaction({ data: responses(11n, 13n), log })])
  t.match(resolution?.outcomes, [{ txId: 11 }, { txId: undefined }, { txId: 13 }])
})

test('finds only readable requests of this wallet in transactions that the store did not sign', async t => {
  const { typeUrl, encode, fromPartial } = createMessageTypes('service').requestTransaction
  const options = JSON.stringify({ feeId: 'transfer' })
  const value = encode(fromPartial({ creator: ADDRESS, options })).finish()
  const messages = [
    { typeUrl, value: Uint8Array.of(255) },
    { typeUrl, value }
  ]
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes })).finish()
  const wallet = {
    address: ADDRESS,
    identify: createIdentify('service', ADDRESS),
    isOwn: (hash: string) => hash === 'OWN'
  }
  for (const [change, adopted] of [
    [
      {},
      [{ identities: [{ kind: 'fee', value: 'transfer' }], execution: { status: 'committed', txId: 12 } }]
    ],
    [{ hash: 'OWN' }, []],
    [{ code: 5 }, [{ identities: [{ kind: 'fee', value: 'transfer' }], execution: undefined }]],
    [{ code: 5, events: using('7', 'service1another') }, []],
    [
      { events: [] },
      [{ identities: [{ kind: 'fee', value: 'transfer' }], execution: { status: 'committed', txId: 12 } }]
    ],
    [{ bytes: Uint8Array.of(255), gasUsed: undefined }, []]
  ] as const) {
    const foreign = transaction({ hash: 'X', bytes, data: responses(0n, 12n), ...(change as object) })
    const found = foreignRequests(chainBlock(3, { transactions: [foreign] }), wallet)
    t.match(found, adopted)
    t.equal(found.length, adopted.length)
  }
})

test('matches events by transaction id and commits all messages if the log does not assign events to messages', async t => {
  const failure = errorEvent({ code: '42', content: 'no' })
  const events = [...using('7'), requested('11'), failure, requested('13')]
  const own = [requested('11')]
  for (const log of [
    '',
    `${JSON.stringify([{ events: own }, { events: [] }, { events: [] }]).slice(0, 40)} … 900 characters … "}]}]`,
    JSON.stringify([{ events: own }]),
    JSON.stringify([{ events: own }, { events: own }, { events: own }, { events: own }]),
    JSON.stringify([{ msg_index: 0 }, { msg_index: 1 }, { msg_index: 1 }]),
    JSON.stringify([{ msg_index: 0 }, { msg_index: 1 }, { msg_index: 7 }])
  ]) {
    const [resolution] = resolve([transaction({ events, data: responses(11n, 0n, 13n), log })])
    t.match(
      resolution?.outcomes,
      [
        { status: 'committed', txId: 11, events: [requested('11')] },
        { status: 'committed', txId: undefined, events: [] },
        { status: 'committed', txId: 13, events: [requested('13')] }
      ],
      log
    )
  }
})

test('fails on unreadable gas in our own transaction, and ignores it in foreign ones', async t => {
  for (const gas of [
    { gasUsed: undefined },
    { gasWanted: undefined },
    { gasWanted: 2n ** 63n, gasUsed: 5n },
    { gasWanted: 9n, gasUsed: -1n }
  ]) {
    t.throws(() => resolve([transaction({ data: responses(11n, 12n, 13n), ...gas })]), {
      name: 'BlockResultError',
      message: 'transaction H: gasUsed or gasWanted is missing or not a safe integer'
    })
    t.match(resolve([transaction({ hash: 'X', ...gas })]), [{ origin: 'foreign' }])
  }
})

test('SDK 0.50: keeps a msg_index attribute that a module added itself, and ignores an invalid index', async t => {
  const index = (value: string) => ({ key: 'msg_index', value })
  const event = { type: 'ibc', attributes: [index('2'), { key: 'k', value: 'v' }] }
  const events = [
    ...using('7'),
    ...['0', '', '9'].map(message => ({ ...event, attributes: [...event.attributes, index(message)] })),
    event
  ]
  const [resolution] = resolve([transaction({ events })])
  t.match(resolution?.outcomes, [{ events: [event] }, { events: [] }, { events: [] }])
})

test('rejects a message whose response or error event refuses it, with the event’s reason if it has one', async t => {
  for (const code of ['400', '200', '']) {
    t.match(lone(response(0n, code), [errorEvent({ code: '42', content: 'no' })]), {
      status: 'rejected',
      error: { code: 42, codespace: 'transaction', message: 'no' }
    })
  }
  for (const events of [[], [requested('11')]]) {
    const outcome = lone(response(0n, '400'), events)
    t.match(outcome, { status: 'rejected', error: { code: 400, message: 'ok' } }, 'the response refuses it')
  }
  for (const code of [{}, { code: 'E42' }, { code: '-1' }]) {
    const outcome = lone(undefined, [errorEvent({ ...code, content: 'no' })])
    t.match(outcome, { status: 'rejected', error: { code: 1, message: 'no' } })
  }
  t.match(lone(undefined, [errorEvent({})]), { error: { code: 1, message: /\S/ } })
  const long = `start ${'x'.repeat(100_000)} end`
  t.match(lone(response(0n, '400'), [errorEvent({ content: long })]), {
    error: { message: /^start x+ … \d+ characters … x+ end$/ }
  })
})

test('resolves our own transaction by its hash, whatever sequence an event reports', async t => {
  for (const text of ['', 'x', '7.0', '-7', '07', '9007199254740993'])
    t.match(resolve([transaction({ events: using(text), code: 5 })]), [{ sequence: 7 }])
})

test('consumes only the wallet’s next sequence, in order', async t => {
  const foreign = (hash: string, text: string) =>
    transaction({ hash, code: 5, bytes: signedBytes(Number(text)), events: using(text) })
  const open = [signedTx(), signedTx({ hash: 'H8', sequence: 8, submissionIds: ['d'] })]
  t.match(
    read([foreign('OLD', '6'), foreign('AHEAD', '8'), foreign('F7', '7'), foreign('AGAIN', '7')], open, 9),
    {
      resolutions: [{ sequence: 7, transactionHash: 'F7' }],
      ignored: [
        { hash: 'OLD', expected: 7 },
        { hash: 'AHEAD', expected: 7 },
        { hash: 'AGAIN', expected: 8 }
      ]
    }
  )
  t.match(resolve([foreign('F7', '7'), transaction({ hash: 'H8', data: responses(1n) })], open), [
    { sequence: 7, origin: 'foreign' },
    { sequence: 8, origin: 'own', outcomes: [{ submissionId: 'd', status: 'committed' }] }
  ])
  t.match(read([foreign('F9', '9'), foreign('F11', '11')], [], 9), {
    resolutions: [{ sequence: 9, origin: 'foreign', outcomes: [] }],
    ignored: [{ hash: 'F11', expected: 10 }]
  })
})

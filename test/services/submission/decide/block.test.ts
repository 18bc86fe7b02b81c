import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction } from '../../../../services/chain-client/index.ts'
import { createMessageTypes } from '../../../../services/messages/index.ts'
import type { SignedTx } from '../../../../services/submission/contract.ts'
import { foreignRequests, resolveSlots } from '../../../../services/submission/decide/block.ts'
import { createIdentify } from '../../../../services/submission/identities.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { blockTransaction, chainBlock, PUBLIC_KEY, responsesOf, signedBytes } from '../../chain-block.ts'

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
  return resolveSlots(chainBlock(3, { transactions }), slots, { ...WALLET, nextSequence })
}

const resolve = (transactions: BlockTransaction[], signedTxs?: SignedTx[]) =>
  read(transactions, signedTxs).resolutions

const responses = (...txIds: bigint[]) => responsesOf(...txIds.map(txId => ({ txId })))

const requeued = (submissionId: string) => ({ submissionId, status: 'queued' })

const OTHER_KEY = new Uint8Array(33).fill(3)

const from = (creator: string): Any => ({
  typeUrl: '/x',
  value: Buffer.concat([Buffer.of(0x0a, creator.length), Buffer.from(creator)])
})

/** The consumed slots as text, such as `7 own: committed a, queued bc, suspects b`. */
const textOf = (transactions: BlockTransaction[], signedTxs: SignedTx[]) =>
  resolve(transactions, signedTxs).map(({ sequence, origin, outcomes, failure }) => {
    const idsOf = (wanted: string) =>
      outcomes.flatMap(({ submissionId, status }) => (status === wanted ? submissionId : []))
    const all = { committed: idsOf('committed'), queued: idsOf('queued'), suspects: failure?.suspects ?? [] }
    const texts = Object.entries(all).flatMap(([name, ids]) => (ids[0] ? `${name} ${ids.join('')}` : []))
    return `${sequence} ${origin}: ${texts.join(', ')}`
  })

const [unsigned, keyless] = [{ key: OTHER_KEY }, { key: null }]
const byMessage = signedBytes(7, { ...keyless, messages: [from(ADDRESS)] })
const byOther = signedBytes(7, { ...keyless, messages: [from(`${ADDRESS}other`)] })

/** Foreign transactions with what an event reports, and whether they consume sequence 7. */
const FOREIGN: [what: string, bytes: Uint8Array, event: string | undefined, is: string, code?: number][] = [
  ['signed by the wallet', signedBytes(7), '7', 'consumed'],
  ['signed by the wallet, without an event', signedBytes(7), undefined, 'consumed'],
  ['signed by the wallet, with a false event', signedBytes(7), '9', 'consumed'],
  ['with another sequence than reported', signedBytes(6), '7', 'ignored'],
  ['signed by another wallet, with a false event', signedBytes(7, unsigned), '7', 'ignored'],
  ['signed by nobody, with a false event', new Uint8Array(), '7', 'ignored'],
  ['unreadable, with a false event', Uint8Array.of(255), '7', 'ignored'],
  ['unordered, with an event', signedBytes(7, { unordered: true }), '7', 'ignored'],
  ['without a key', byMessage, undefined, 'consumed'],
  ['without a key, of another signer', byMessage, 'x/7', 'no event'],
  ['without a key, from another wallet', byOther, '7', 'consumed, says an event'],
  ['without a key, from another wallet, without an event', byOther, undefined, 'no event'],
  ['without a key, with another sequence than reported', signedBytes(6, keyless), '7', 'ignored'],
  ['failed with an event', signedBytes(7), '7', 'consumed', 5],
  ['failed without an event', signedBytes(7), undefined, 'no event', 5],
  ['failed, signed by another wallet, with a false event', signedBytes(7, unsigned), '7', 'ignored', 5]
]

for (const [what, bytes, reported, expected, code = 0] of FOREIGN) {
  test(`sequence after a foreign transaction ${what}: ${expected}`, async t => {
    const [sequence, address] = reported?.split('/').reverse() ?? []
    const events = sequence === undefined ? [] : using(sequence, address)
    const { resolutions, ignored } = read([transaction({ hash: 'X', bytes, events, code })])
    const [resolution] = resolutions
    const consumed = resolution?.isDoubtful ? 'consumed, says an event' : 'consumed'
    t.equal(resolution ? consumed : ignored.length > 0 ? 'ignored' : 'no event', expected)
    if (resolution)
      t.match(resolution, { sequence: 7, origin: 'foreign', outcomes: ['a', 'b', 'c'].map(requeued) })
  })
}

test('requeues messages of a failed transaction once its sequence is consumed', async t => {
  const open = [signedTx(), signedTx({ hash: 'H8', sequence: 8, submissionIds: ['d'] })]
  const failed = transaction({ code: 5, codespace: 'sdk', log: 'no', events: [] })
  const refusal = { code: 5, codespace: 'sdk', message: 'no' }
  const later = transaction({ hash: 'H8', data: responses(1n), events: [] })
  const passed = {
    sequence: 7,
    origin: 'own',
    outcomes: ['a', 'b', 'c'].map(requeued),
    isDoubtful: false,
    transactionHash: 'H',
    failure: { suspects: ['a', 'b', 'c'], messages: 3, refusal, by: 'block' }
  }
  const executed = { sequence: 8, outcomes: [{ submissionId: 'd', status: 'committed' }] }
  t.strictSame(resolve([failed], open), [])
  t.match(resolve([failed, later], open), [passed, executed])
  const earlier = { ...passed, failure: undefined }
  t.match(resolve([later], open), [earlier, executed], 'it failed in an earlier block')
  t.match(read([failed], open, 9, 8).resolutions, [passed], 'the account shows it')
  t.strictSame(read([failed], open, 9, 7).resolutions, [])
  const foreign = transaction({ hash: 'X', bytes: signedBytes(9), events: [] })
  const eighth = { sequence: 8, failure: undefined }
  t.match(resolve([failed, foreign], open), [passed, eighth, { sequence: 9, origin: 'foreign' }])
  const alike = { ...foreign, events: using('9'), code: 5 }
  t.strictSame(resolve([failed, alike], open), [], 'a failure shows nothing about lower sequences')
})

const OUT_OF_GAS = 'out of gas in location: x'
const failed = (log: string) => transaction({ hash: 'H1', code: 4, codespace: 'sdk', log })
const failedAt = (index: number) => failed(`failed to execute message; message index: ${index}: x`)
const foreignTx = transaction({ hash: 'FOREIGN' })
const done = (hash: string, ...ids: bigint[]) => transaction({ hash, data: responses(...ids) })
const byAnother = transaction({
  bytes: signedBytes(7, { key: OTHER_KEY }),
  events: using('7', 'service1walletother')
})
/** Any contract can emit such an event. */
const ofContract = using('7').map(each => ({ ...each, type: 'wasm' }))
const byContract = transaction({ hash: 'X', code: 5, events: ofContract })

/** A transaction, the submissions of the slot's transactions H1, H2 and so on, and what the block resolves. */
const RESOLVED: [what: string, tx: BlockTransaction, signed: string[], resolved: string[]][] = [
  ['a failure at a message', failedAt(1), ['abc'], ['7 own: queued abc, suspects b']],
  ['a failure at an index that does not exist', failedAt(3), ['ab'], ['7 own: queued ab, suspects ab']],
  ['a failure of a message', failed(OUT_OF_GAS), ['a'], ['7 own: queued a, suspects a']],
  ['a failure before the messages', transaction({ hash: 'H1', code: 32, events: [] }), ['abc'], []],
  ['a transaction of another wallet', byAnother, ['abc'], []],
  ['a false event of a contract', byContract, ['abc'], []],
  ['a foreign transaction', foreignTx, ['abc', 'ad'], ['7 foreign: queued abcd']],
  ['a part of the messages', done('H3', 11n), ['abc', 'ab', 'a'], ['7 own: committed a, queued bc']],
  ['a transaction without submissions', done('H2'), ['abc', ''], ['7 own: queued abc']],
  ['a success, except one that left', done('H1', 11n, 12n, 13n), ['a-c'], ['7 own: committed ac']],
  ['a foreign transaction, except one that left', foreignTx, ['a-c'], ['7 foreign: queued ac']],
  ['a failure, except one that left', failed(OUT_OF_GAS), ['a-c'], ['7 own: queued ac, suspects ac']]
]

for (const [what, tx, signed, resolved] of RESOLVED) {
  test(`${resolved.length > 0 ? 'resolves' : 'does not resolve'} a slot by ${what}`, async t => {
    const signedTxs = signed.map((ids, index) =>
      signedTx({ hash: `H${index + 1}`, submissionIds: ids.split('').map(id => id.replace('-', '')) })
    )
    t.strictSame(textOf([tx], signedTxs), resolved)
  })
}

test('finds only readable requests of this wallet in foreign transactions', async t => {
  const { typeUrl, encode, fromPartial } = createMessageTypes('service').requestTransaction
  const options = JSON.stringify({ feeId: 'transfer' })
  const value = encode(fromPartial({ creator: ADDRESS, options })).finish()
  const bytes = signedBytes(7, { messages: [Uint8Array.of(255), value].map(value => ({ typeUrl, value })) })
  const identify = createIdentify('service', ADDRESS)
  const wallet = { address: ADDRESS, identify, isOwn: (hash: string) => hash === 'OWN' }
  for (const [change, status] of [
    [{}, 'committed'],
    [{ events: [] }, 'committed'],
    [{ code: 5 }, 'failed'],
    [{ hash: 'OWN' }, undefined],
    [{ code: 5, events: using('7', 'service1another') }, undefined],
    [{ bytes: Uint8Array.of(255), gasUsed: undefined }, undefined]
  ] as const) {
    const foreign = transaction({ hash: 'X', bytes, data: responses(0n, 12n), ...(change as object) })
    const found = foreignRequests(chainBlock(3, { transactions: [foreign] }), wallet)
    const execution = status === 'committed' ? { status, txId: 12 } : undefined
    t.match(found, status ? [{ identities: [{ kind: 'fee', value: 'transfer' }], execution }] : [])
    t.equal(found.length, status ? 1 : 0)
  }
})

test('resolves our own transaction by its hash, whatever sequence an event reports', async t => {
  for (const text of ['', 'x', '7.0', '-7', '07', '9007199254740993'])
    t.match(resolve([transaction({ events: using(text), code: 5 })]), [{ sequence: 7 }])
})

test('consumes only the wallet’s next sequence, in order', async t => {
  const foreign = (hash: string, text: string) =>
    transaction({ hash, code: 5, bytes: signedBytes(Number(text)), events: using(text) })
  const open = [signedTx(), signedTx({ hash: 'H8', sequence: 8, submissionIds: ['d'] })]
  const [old, ahead] = [foreign('OLD', '6'), foreign('AHEAD', '8')]
  const { resolutions, ignored } = read([old, ahead, foreign('F7', '7'), foreign('AGAIN', '7')], open, 9)
  t.match(resolutions, [{ sequence: 7, transactionHash: 'F7' }])
  const texts = ignored.map(({ hash, expected }) => `${hash}, not ${expected}`)
  t.strictSame(texts, ['OLD, not 7', 'AHEAD, not 7', 'AGAIN, not 8'])
  t.match(resolve([foreign('F7', '7'), transaction({ hash: 'H8', data: responses(1n) })], open), [
    { sequence: 7, origin: 'foreign' },
    { sequence: 8, origin: 'own', outcomes: [{ submissionId: 'd', status: 'committed' }] }
  ])
  t.match(read([foreign('F9', '9'), foreign('F11', '11')], [], 9), {
    resolutions: [{ sequence: 9, origin: 'foreign', outcomes: [] }],
    ignored: [{ hash: 'F11', expected: 10 }]
  })
})

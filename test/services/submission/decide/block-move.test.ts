import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { BlockTransaction, NodeBlock } from '../../../../services/chain-client/index.ts'
import { msgRequestResponse } from '../../../../services/messages/index.ts'
import {
  type BlockEvidence,
  blockMove,
  nextHeader,
  readBlock
} from '../../../../services/submission/decide/block.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import { blockTransaction, chainBlock, PUBLIC_KEY, signedBytes } from '../../../helpers/chain-block.ts'
import { test } from '../../../helpers/tap.ts'

const ADDRESS = 'service1wallet'
const using = { type: 'tx', attributes: [{ key: 'acc_seq', value: `${ADDRESS}/7` }] }
const refusing = { type: 'error', attributes: [{ key: 'msg_index', value: '0' }] }

function responseOf(code: string, txId: bigint): Uint8Array {
  const value = msgRequestResponse.encode({ code, msg: '', txId }).finish()
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses: [{ typeUrl: '/x', value }] })).finish()
}

const success = { data: responseOf('200', 11n), events: [using] }
const failure = { code: 5, codespace: 'sdk', events: [using] }
const refused = { data: responseOf('400', 0n), events: [using, refusing] }

/** The transactions of a block with ours, and what must confirm them. */
const PROOFS: Record<string, [proof: string, Partial<BlockTransaction>]> = {
  'a success': ['none', success],
  'a success without an id': ['none', { data: responseOf('200', 0n), events: [using] }],
  'a transaction of another wallet': ['none', { hash: 'OTHER', events: [] }],
  'a failure of another wallet': ['none', { hash: 'OTHER', code: 5, events: [] }],
  'a failure': ['header', failure],
  'a failure that consumed no sequence': ['header', { ...failure, events: [] }],
  'a slot that another program consumed': ['header', { hash: 'OTHER', bytes: signedBytes(7) }],
  'a slot that another program consumed, as only an event shows': [
    'secondNode',
    { hash: 'OTHER', bytes: signedBytes(7, { key: null }), events: [using] }
  ],
  'a false event of another wallet': ['none', { hash: 'OTHER', events: [using] }],
  'a refusal by both the event and the response': ['header', refused],
  'a refusal by the event only': ['secondNode', { ...success, events: [using, refusing] }],
  'a refusal by the event, without a response': ['secondNode', { events: [using, refusing] }],
  'a refusal by the response only': ['secondNode', { ...refused, events: [using] }]
}

const signedTx = {
  ...{ hash: 'H', sequence: 7, bytes: new Uint8Array(), gasLimit: 1, feeAmount: 1n },
  submissionIds: ['a']
}

function read(block: NodeBlock) {
  const slots = createSlotTable()
  slots.add(signedTx)
  return readBlock(block, slots, {
    address: ADDRESS,
    publicKey: PUBLIC_KEY,
    nextSequence: 8,
    identify: () => ({ identities: [] })
  })
}

const blockOf = (node: string, transaction: Partial<BlockTransaction>, change: Partial<NodeBlock> = {}) => {
  const { code = 0, data = '' } = transaction
  const transactions = [blockTransaction({ hash: 'H', ...transaction })]
  return { ...chainBlock(3, { resultsHash: `${code} ${data}`, transactions, ...change }), node }
}

test('only a success of our own transaction needs no proof', t => {
  for (const [title, [proof, transaction]] of Object.entries(PROOFS))
    t.equal(read(blockOf('a', transaction)).proof, proof, title)
  t.end()
})

test('a slot that was executed in part needs proof, because its other messages are released', t => {
  const slots = createSlotTable()
  slots.add({ ...signedTx, hash: 'FULL', submissionIds: ['a', 'b'] })
  slots.add(signedTx)
  const identify = () => ({ identities: [] })
  const wallet = { address: ADDRESS, publicKey: PUBLIC_KEY, nextSequence: 8, identify }
  t.equal(readBlock(blockOf('a', success), slots, wallet).proof, 'header')
  t.end()
})

const [good, bad, events, doubtful] = [success, failure, refused, { ...success, events: [using, refusing] }]
const fork = { hash: 'FORK' }
const header = (transaction: object, isByTwo = true) => ({
  previousHash: 'B3',
  lastResultsHash: blockOf('', transaction).resultsHash,
  isByTwo
})

/** What nodes a, b and c report, what else is known, and the decision. */
const MOVES: Record<string, [reported: object[], known: Partial<BlockEvidence>, move: string]> = {
  'two nodes agree on a success': [[good, good], {}, 'apply a'],
  'two nodes agree on a failure': [[bad, bad], {}, 'apply a'],
  'two nodes agree on events that contradict a response': [[doubtful, doubtful], {}, 'apply a'],
  'two of three nodes agree': [[good, bad, bad], { isComplete: true }, 'apply b, wrong: a'],
  'a success of one node in the newest block': [[good], {}, 'apply a'],
  'a success in an older block': [[good], { isNewest: false }, 'ask next'],
  'a success, but the next block is not there': [[good], { isNewest: false, next: 'none' }, 'apply a'],
  'a success that the next header confirms': [[good], { isNewest: false, next: header(good) }, 'apply a'],
  'a success that the next header contradicts': [
    [good],
    { next: header(bad), isNewest: false },
    'ask otherNodes'
  ],
  'a success that no other node contradicts, but the next header': [
    [good],
    { next: header(bad, false), isNewest: false, isComplete: true },
    'raise'
  ],
  'a failure of one node': [[bad], {}, 'ask next'],
  'a failure without a next block': [[bad], { next: 'none' }, 'wait'],
  'a failure that the next header confirms': [[bad], { next: header(bad, false) }, 'apply a'],
  'a failure that the next header contradicts': [[bad], { next: header(good) }, 'ask otherNodes'],
  'a refusal that the next header confirms': [[events], { next: header(events) }, 'apply a'],
  'contradicting events of one of several nodes': [[doubtful], { next: header(doubtful) }, 'raise'],
  'contradicting events of the only node': [
    [doubtful],
    { next: header(doubtful), isOnlyNode: true },
    'apply a'
  ],
  'contradicting events of the only node, without a next block': [
    [doubtful],
    { next: 'none', isOnlyNode: true },
    'wait'
  ],
  'two nodes differ': [[bad, good], {}, 'ask next'],
  'two nodes differ, before the next block': [[bad, good], { next: 'none', isComplete: true }, 'wait'],
  'two nodes differ, and a header of one node fits one': [
    [bad, good],
    { next: header(bad, false), isComplete: true },
    'raise'
  ],
  'two nodes differ, and a header of two nodes fits one': [
    [bad, good],
    { next: header(good), isComplete: true },
    'apply b, wrong: a'
  ],
  'two nodes differ in events that the response makes irrelevant': [
    [events, { ...refused, events: [using] }],
    {},
    'apply a'
  ],
  'two nodes differ in events, and the response says nothing': [
    [{ events: [using, refusing] }, { events: [using] }],
    { next: header({}), isComplete: true },
    'raise'
  ],
  'two nodes differ, and the header fits none': [
    [bad, good],
    { next: header(events), isComplete: true },
    'raise, wrong: a, b'
  ],
  'two nodes differ, and the right one contradicts itself': [
    [bad, doubtful],
    { next: header(doubtful), isComplete: true },
    'raise, wrong: a'
  ]
}

for (const [title, [reported, known, expected]] of Object.entries(MOVES)) {
  test(`decides about a block: ${title}`, t => {
    const responses = reported.map((transaction, index) => blockOf('abc'[index] ?? '', transaction))
    const evidence = { responses, isNewest: true, isOnlyNode: false, isComplete: false, ...known }
    const move = blockMove(evidence, read)
    const wrong = 'wrong' in move && move.wrong.length > 0 ? `, wrong: ${move.wrong.join(', ')}` : ''
    const what = move.do === 'apply' ? ` ${move.block.node}` : move.do === 'ask' ? ` ${move.about}` : ''
    t.equal(`${move.do}${what}${wrong}`, expected)
    t.end()
  })
}

test('the next header counts if nodes agree on it, without those on another chain or fork', t => {
  const responses = [blockOf('a', good)]
  const next = (change = {}) => chainBlock(4, change)
  for (const [headers, isByTwo] of [
    [[], undefined],
    [[next()], false],
    [[next(), next()], true],
    [[next(), next({ hash: 'OTHER' })], undefined],
    [[next(), next({ chainId: 'chain-2', hash: 'OTHER' })], false],
    [[next(), next({ previousHash: 'OTHER', hash: 'OTHER' })], false],
    [[next({ previousHash: 'OTHER' })], false]
  ] as const) {
    const found = nextHeader(headers, responses)
    t.equal(found === 'none' ? undefined : found.isByTwo, isByTwo)
  }
  const forked = blockMove(
    {
      responses: [blockOf('a', good, fork)],
      next: header(good),
      isNewest: false,
      isOnlyNode: false,
      isComplete: false
    },
    read
  )
  t.strictSame(forked, { do: 'ask', about: 'otherNodes' })
  t.end()
})

import type { BlockTransaction, NodeBlock } from '../../../../services/chain-client/index.ts'
import { readBlock } from '../../../../services/submission/decide/block.ts'
import {
  type BlockEvidence,
  blockMove,
  nextHeader
} from '../../../../services/submission/decide/block-move.ts'
import { createSlotTable } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { blockTransaction, chainBlock, PUBLIC_KEY, responsesOf, signedBytes } from '../../chain-block.ts'

const ADDRESS = 'service1wallet'
const using = { type: 'tx', attributes: [{ key: 'acc_seq', value: `${ADDRESS}/7` }] }
const at0 = { key: 'msg_index', value: '0' }
const refusing = { type: 'error', attributes: [at0] }

const success = { data: responsesOf({ txId: 11n }), events: [using] }
const failure = { code: 5, codespace: 'sdk', events: [using] }
const refused = { data: responsesOf({ txId: 0n, code: '400' }), events: [using, refusing] }

const request = { typeUrl: '/request', value: Buffer.from(ADDRESS) }
const unordered = signedBytes(0, { unordered: true, messages: [request] })
const requested = { type: 'transaction_requested', attributes: [{ key: 'txId', value: '11' }, at0] }
const keyless = { hash: 'OTHER', bytes: signedBytes(7, { key: null }) }

/** The transactions of a block with ours, and what must confirm them. */
const PROOFS: Record<string, [proof: string, Partial<BlockTransaction>]> = {
  'a success': ['none', success],
  'a success without an id': ['none', { data: responsesOf({ txId: 0n }), events: [using] }],
  'a transaction of another wallet': ['none', { hash: 'OTHER', events: [] }],
  'a failure of another wallet': ['none', { hash: 'OTHER', code: 5, events: [] }],
  'a failure': ['header', failure],
  'a failure that consumed no sequence': ['header', { ...failure, events: [] }],
  'a slot that another program consumed': ['header', { hash: 'OTHER', bytes: signedBytes(7) }],
  'a slot that another program consumed, says an event': ['secondNode', { ...keyless, events: [using] }],
  'a request from another program': ['header', { ...success, hash: 'OTHER', bytes: unordered }],
  'a false event of another wallet': ['none', { hash: 'OTHER', events: [using] }],
  'a refusal by both the event and the response': ['header', refused],
  'a refusal by the event only': ['secondNode', { ...success, events: [using, refusing] }],
  'a refusal by the event, without a response': ['secondNode', { events: [using, refusing] }],
  'a refusal with the event of an execution': [
    'secondNode',
    { ...refused, events: [using, refusing, requested] }
  ],
  'a refusal by the response only': ['secondNode', { ...refused, events: [using] }]
}

const signedTx = {
  hash: 'H',
  sequence: 7,
  bytes: new Uint8Array(),
  gasLimit: 1,
  feeAmount: 1n,
  submissionIds: ['a']
}

const identify = ({ typeUrl }: { typeUrl: string }) => ({
  identities: typeUrl === request.typeUrl ? [{ kind: 'fee' as const, value: 'x' }] : []
})

function read(block: NodeBlock, signedTxs = [signedTx]) {
  const slots = createSlotTable()
  for (const each of signedTxs) slots.add(each)
  return readBlock(block, slots, { address: ADDRESS, publicKey: PUBLIC_KEY, nextSequence: 8, identify })
}

const blockOf = (node: string, transaction: Partial<BlockTransaction>, change: Partial<NodeBlock> = {}) => {
  const { code = 0, data = '' } = transaction
  const transactions = [blockTransaction({ hash: 'H', ...transaction })]
  return { ...chainBlock(3, { resultsHash: `${code} ${data}`, transactions, ...change }), node }
}

test('a failure or refusal needs proof, but a success of our own transaction does not', async t => {
  for (const [title, [proof, transaction]] of Object.entries(PROOFS))
    t.equal(read(blockOf('a', transaction)).proof, proof, title)
})

test('a partly executed slot needs proof, because its other messages are released', async t => {
  const full = { ...signedTx, hash: 'FULL', submissionIds: ['a', 'b'] }
  t.equal(read(blockOf('a', success), [full, signedTx]).proof, 'header')
})

/** What nodes report of the block's transaction. */
const REPORTS: Record<string, Partial<BlockTransaction>> = {
  good: success,
  bad: failure,
  worse: { ...failure, code: 6 },
  refusal: refused,
  'refusal-in-response': { ...refused, events: [using] },
  doubtful: { ...success, events: [using, refusing] },
  'refusal-in-event': { events: [using, refusing] },
  silent: { events: [using] }
}

/** `fits X` is a header of two nodes that fits a report, `by one` that of a single node. */
function headerOf(text: string): BlockEvidence['next'] {
  const [, name = '', one] = /^fits (\S+)( by one)?$/.exec(text) ?? []
  if (name === '') return text === 'none' ? 'none' : undefined
  const { resultsHash } = blockOf('', REPORTS[name] ?? {})
  return { previousHash: 'B3', lastResultsHash: resultsHash, isByTwo: one === undefined }
}

const [older, all, only] = [{ isNewest: false }, { isComplete: true }, { isOnlyNode: true }]

/** What nodes a, b and c report, the next header, what else is known, and the decision. */
const MOVES: [reported: string, next: string, move: string, known?: Partial<BlockEvidence>][] = [
  ['good good', '', 'apply a'],
  ['bad bad', '', 'apply a'],
  ['bad worse', '', 'ask next'],
  ['good bad bad', '', 'apply b, wrong: a', all],
  ['good', '', 'apply a'],
  ['good', '', 'ask next', older],
  ['good', 'none', 'apply a', older],
  ['good', 'fits good', 'apply a', older],
  ['good', 'fits bad', 'ask otherNodes', older],
  ['good', 'fits bad by one', 'raise', { ...older, ...all }],
  ['bad', '', 'ask next'],
  ['bad', 'none', 'wait'],
  ['bad', 'fits bad by one', 'apply a'],
  ['bad', 'fits good', 'ask otherNodes'],
  ['doubtful', 'fits doubtful', 'raise'],
  ['doubtful', 'fits doubtful', 'apply a', only],
  ['doubtful', 'none', 'wait', only],
  ['bad good', 'none', 'wait', all],
  ['bad good', 'fits bad by one', 'raise', all],
  ['bad good', 'fits good', 'apply b, wrong: a', all],
  ['refusal refusal-in-response', '', 'apply a'],
  ['refusal-in-event silent', 'fits silent', 'raise', all],
  ['bad good', 'fits refusal', 'raise, wrong: a, b', all],
  ['bad doubtful', 'fits doubtful', 'raise, wrong: a', all]
]

test('applies a block once its results are certain, and names the nodes that are wrong', async t => {
  for (const [reported, header, expected, known] of MOVES) {
    const responses = reported.split(' ').map((name, at) => blockOf('abc'[at] ?? '', REPORTS[name] ?? {}))
    const next = headerOf(header)
    const flags = { isNewest: true, isOnlyNode: false, isComplete: false, ...known }
    const decoded: NodeBlock[] = []
    const move = blockMove({ responses, ...flags, ...(next && { next }) }, block => {
      decoded.push(block)
      return read(block)
    })
    t.equal(decoded.length, new Set(decoded).size, 'decodes each block once')
    const wrong = 'wrong' in move && move.wrong.length > 0 ? `, wrong: ${move.wrong.join(', ')}` : ''
    const what = move.do === 'apply' ? ` ${move.block.node}` : move.do === 'ask' ? ` ${move.about}` : ''
    t.equal(`${move.do}${what}${wrong}`, expected, `${reported}, ${header}, ${JSON.stringify(known)}`)
  }
})

test('the next header counts only if the nodes of this chain agree on it', async t => {
  const responses = [blockOf('a', success)]
  const next = (change = {}) => chainBlock(4, change)
  const hash = 'OTHER'
  for (const [headers, expected] of [
    [[], 'none'],
    [[next()], { isByTwo: false }],
    [[next(), next()], { isByTwo: true }],
    [[next(), next({ hash })], 'none'],
    [[next(), next({ chainId: 'chain-2', hash })], { isByTwo: false }],
    [[next(), next({ previousHash: 'OTHER', hash })], { isByTwo: false }],
    [[next({ previousHash: 'OTHER' })], { isByTwo: false }]
  ] as const)
    t.match(nextHeader(headers, responses), expected)
  const forked = [blockOf('a', success, { hash: 'FORK' })]
  const header = { previousHash: 'B3', lastResultsHash: blockOf('', success).resultsHash, isByTwo: true }
  const flags = { isNewest: false, isOnlyNode: false, isComplete: false }
  t.match(blockMove({ responses: forked, next: header, ...flags }, read), { do: 'ask', about: 'otherNodes' })
  const unknown = blockMove({ responses: forked, next: header, ...flags, isComplete: true }, read)
  t.match(unknown, { do: 'raise', wrong: [] }, 'accuses no node while none has the block before the header')
})

import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BroadcastResult } from '../../../../services/chain-client/index.ts'
import type { SignedTx } from '../../../../services/submission/contract.ts'
import {
  isIgnored,
  isOverdue,
  nextMove,
  type SlotKnowledge,
  type SlotMove,
  withoutSettled
} from '../../../../services/submission/decide/slot.ts'
import { createSlotTable, dearestFee, type OpenSlot } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'

/**
 * Reads a transaction with a message for each letter, such as `ab@250000:2500!`: its gas limit and fee, `!` for another
 * denomination, and `-` in place of a settled message. It has the usual gas of 100,000 and price of 0.01 by default.
 */
function tx(text: string): SignedTx {
  const [, letters = '', gas, fee, other] = /^([\w-]*)(?:@(\d+))?(?::(\d+))?(!)?$/.exec(text) ?? []
  const submissionIds = letters.split('').map(id => id.replace('-', ''))
  const gasLimit = Number(gas ?? 100_000 * Math.max(1, submissionIds.length))
  const feeAmount = BigInt(fee ?? gasLimit / 100)
  const messages = submissionIds.map(id => ({
    typeUrl: id === 'L' ? '/test.MsgRequestHtlcLock' : '/test.Request',
    value: Buffer.from(id)
  }))
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const amount = [{ denom: other ? 'other' : 'unit', amount: String(feeAmount) }]
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee: { amount } })).finish()
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()
  return { sequence: 7, hash: text, bytes, gasLimit, submissionIds, feeAmount }
}

/** A change of the slot, or of what is known. */
type Change = Partial<SlotKnowledge & OpenSlot>

/** Builds a slot with transactions such as `abcd ab`. */
function slotOf(signedTxs: string, change: Change = {}): OpenSlot {
  const slots = createSlotTable()
  for (const text of signedTxs.split(' ')) slots.add(tx(text))
  const slot = slots.first()
  if (!slot) throw new TypeError('a slot needs a transaction')
  return Object.assign(slot, change)
}

const refused = (code: number, log = 'no', codespace = 'sdk') =>
  ({ status: 'refused', code, codespace, log }) as const
const fee = (required: string) =>
  refused(13, `insufficient fees; got: 1unit required: ${required}: insufficient fee`)
const excess = (most: number) => refused(11, `Too much gas wanted: 400000, maximum is ${most}: out of gas`)
const EXCESS = refused(11, 'Too much gas wanted: out of gas')
const OUT_OF_GAS = refused(11, 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas')
const ABOVE_BLOCK = refused(41, 'tx gas limit 400000 exceeds block max gas 250000: invalid gas limit')
const TOO_LARGE = refused(21, 'tx size is too big: 15000, max: 10000')
const SPENT = refused(5, 'spendable balance 0unit is smaller than 1unit: insufficient funds')
const INVALID = refused(18)
const CLOSED = refused(7, 'the lane is closed', 'lane')
const UNSIGNED = refused(4, 'signature verification failed; please verify account number (3): unauthorized')
const NO_ACCOUNT = refused(9, `account ${wallet.address} does not exist: unknown address`)
const sequence = (expected: number) => refused(32, `account sequence mismatch, expected ${expected}, got 7`)
const CACHED = { status: 'known' } as const
const ACCEPTED = { status: 'accepted' } as const

const known: SlotKnowledge = {
  address: wallet.address,
  feeDenom: 'unit',
  gasPrice: '0.01',
  required: undefined,
  now: 0,
  cursorHeight: 100,
  newestHeight: 100
}

const allowed = { control: { status: 'passed', node: 'one', gasUsed: 100_000 } } as const
const shutOut = { control: { status: 'refused', kind: 'wallet-not-whitelisted', reason: 'x' } } as const
const invalidControl = { control: { status: 'refused', kind: 'requests-refused', reason: 'x' } } as const
const other = (answer: BroadcastResult) => ({ otherNodes: [answer] })
const accepted = other(ACCEPTED)
const accepted98 = { ...accepted, acceptedElsewhereAt: 98 }
const dearer = { gasPrice: '0.03' }

/** Formats a move: a signature by its messages, gas limit and fee, such as `ab 210000/2100, max 250000, c of 3`. */
function textOf(move: SlotMove | undefined): string {
  if (move?.do === 'ask') return `ask ${move.about}`
  if (move?.do === 'wait' && move.acceptedElsewhereAt) return `wait from ${move.acceptedElsewhereAt}`
  if (move?.do === 'raise') return `raise ${move.kind}${move.restored ? `, ${textOf(move.restored)}` : ''}`
  if (move?.do !== 'signAgain') return move?.do ?? 'nothing'
  const { plan, isNewPrice, failure, ceiling } = move
  const letters = plan.messages.map(({ value }) => Buffer.from(value).toString()).join('')
  const ids = plan.submissionIds.join('')
  const what = ids ? (letters === ids ? ids : `${letters} as ${ids}`) : plan.messages[0]?.typeUrl.slice(-7)
  return [
    `${what} ${plan.gasLimit}/${plan.feeAmount}`,
    ...(isNewPrice ? ['new price'] : []),
    ...(ceiling ? [`max ${ceiling}`] : []),
    ...(failure ? [`${failure.suspects.join('')} of ${failure.messages}`] : [])
  ].join(', ')
}

/** `what` happens to a slot with these transactions after this response. */
type Row = [what: string, signedTxs: string, response: BroadcastResult, move: string, change?: Change]

const FIRST: Row[] = [
  ['waits after a node accepted it', 'a', ACCEPTED, 'wait'],
  ['waits while it is cached', 'a', CACHED, 'wait', { timesSent: 2 }],
  ['gets new bytes if it is cached but in no block', 'a', CACHED, 'a 99999/1000', { timesSent: 3 }],
  ['waits twice as long after it got new bytes', 'a a@99999:1000', CACHED, 'wait', { timesSent: 5 }],
  ['gets new bytes again after twice as long', 'a a@99999:1000', CACHED, 'a 99998/1000', { timesSent: 6 }],
  ['gets new bytes as soon after it paid more', 'a a:2000', CACHED, 'a 99999/2000', { timesSent: 3 }],
  ['gets new bytes as soon after more gas', 'a@90000:1000 a', CACHED, 'a 99999/1000', { timesSent: 3 }],
  ['waits if a refusal reports that it is cached', 'a', refused(19), 'wait'],
  ['is sent again without a response', 'a', { status: 'unavailable', reason: 'x' }, 'resend'],
  ['is sent again while a mempool is full', 'a', refused(20), 'resend', { refusal: INVALID }],
  ['waits if its sequence is used', 'a', sequence(8), 'wait'],
  ['is sent again after its predecessors', 'a', sequence(6), 'resend'],
  ['asks other nodes before it pays more', 'a', fee('2000unit'), 'ask otherNodes'],
  ["pays today's price before anything else", 'a', fee('2000unit'), 'a 100000/3000', dearer],
  ["pays in today's denomination", 'a:5000!', fee('500unit'), 'a 100000/1000'],
  ['waits for funds', 'a', SPENT, 'raise insufficient-funds'],
  ['waits for an account', 'a', NO_ACCOUNT, 'raise insufficient-funds'],
  ['needs fewer funds at a lower price', 'a', SPENT, 'a 100000/100', { gasPrice: '0.001' }],
  ["is a transfer in today's denomination", '!', SPENT, 'MsgSend 100000/1000'],
  ['waits for another signature', 'a', UNSIGNED, 'raise signature-refused'],
  ['asks other nodes before it requests less gas', 'abcd', excess(250_000), 'ask otherNodes'],
  ['is sent once more before its content changes', 'abcd', INVALID, 'repeat'],
  ['asks whether the chain accepts anything', 'abcd', INVALID, 'ask control', { refusal: INVALID }],
  ['stays refused while a node has its bytes cached', 'abcd', CACHED, 'ask control', { refusal: INVALID }],
  ['asks other nodes about a lone message', 'a', INVALID, 'ask otherNodes', { refusal: INVALID, ...allowed }]
]

const small = { ...allowed, gas: 100_000 }
const otherNodes = [refused(41, 'exceeds block max gas 310000'), refused(7, 'maximum is 390000')]
const limits = { otherNodes, gas: 300_000 }

// Other nodes have been asked: without a response, unless a row has one.
const ASKED: Row[] = [
  ['pays the required fee', 'ab', fee('5000unit'), 'ab 200000/5000, new price'],
  ['pays the lowest fee', 'a', fee('3000unit'), 'a 100000/2000, new price', other(fee('2000unit'))],
  ['pays half more than the node requires', 'a', fee('1000unit'), 'a 100000/1500, new price'],
  ['never pays above the limit', 'a', fee('5001unit'), 'raise fee-too-high'],
  ['pays in no other denomination', 'a:5000', fee('1other'), 'raise fee-too-high'],
  ['waits for a cheaper node', 'a', fee('2000unit'), 'wait from 99', { ...accepted, newestHeight: 99 }],
  ['pays more after two blocks', 'a', fee('2000unit'), 'a 100000/2000, new price', accepted98],
  ['waits for a node that accepts its size', 'a', TOO_LARGE, 'wait from 100', other(CACHED)],
  ['gets at most the cap', 'a@1900000', OUT_OF_GAS, 'a 2000000/20000'],
  ['gets at most four times its first gas', 'a a@270000', OUT_OF_GAS, 'repeat'],
  ['gets up to four times its first gas', 'a@150000 a@400000', OUT_OF_GAS, 'a 600000/6000'],
  ['gets no more gas after it was reduced', 'ab@200000 a', OUT_OF_GAS, 'repeat'],
  ['as a transfer gets the maximum', '@200000', excess(150_000), 'MsgSend 150000/1500, max 150000', allowed],
  ['as a transfer is repeated with too little gas', '@200000', EXCESS, 'repeat'],
  ['reduces the gas of a transfer once', '@150000', excess(149_999), 'repeat', allowed],
  ['checks a limit below the control’s gas', 'abcd', excess(1), 'ask control'],
  ['ignores a limit below the control', 'abcd', excess(99_999), 'abc 300000/3000, max 300000', small],
  ['keeps the messages that fit', 'abcd', ABOVE_BLOCK, 'ab 210000/2100, max 250000', { gas: 140_000 }],
  ['keeps what fits the highest limit', 'abcd', excess(250_000), 'abc 310000/3100, max 310000', limits],
  ['ignores a higher limit', 'abcd', excess(400_000), 'abc 300000/3000, max 300000', { gas: 1 }],
  ['keeps what is signed within the limit', 'ab@250000 abcd', excess(250_000), 'ab 250000/2500, max 250000'],
  ['simulates what was signed above the limit', 'ab@250001:2501 abcd', excess(250_000), 'ask gas'],
  ['keeps one message', 'ab@900000', excess(250_000), 'a 250000/2500, max 250000', { gas: 1 }],
  ['becomes a transfer for its gas', 'a', EXCESS, 'MsgSend 75000/750, max 75000, a of 1']
]

// The content was refused before, and the chain accepts other requests of the wallet.
const AGAIN: Row[] = [
  ['waits while the chain accepts nothing', 'abcd', INVALID, 'raise wallet-not-whitelisted', shutOut],
  ["gets today's price before it is halved", 'abcd', INVALID, 'abcd 400000/12000', dearer],
  ['is halved', 'abcd', INVALID, 'ab 200000/2000, cd of 4', { gas: 130_000 }],
  ['is halved without a control', 'ab', INVALID, 'a 100000/1000, b of 2', { ...invalidControl, gas: 1 }],
  ['never pays more for fewer messages', 'abcd', INVALID, 'ab 400000/4000, cd of 4', { gas: 10 ** 9 }],
  ['is halved to what is signed already', 'ab@180000 abcd', INVALID, 'ab 180000/1800, cd of 4'],
  ['is halved from its end', 'abc@200000', INVALID, 'c 66667/667, ab of 3', { gas: 1, timesRestored: 1 }],
  ['is not halved to what was signed at a lower price', 'ab@180000:1799 abcd', INVALID, 'ask gas'],
  ['is not halved to another denomination', 'ab@180000! abcd', INVALID, 'ask gas'],
  ['keeps a transfer’s lock', 'Lt', INVALID, 'L 100000/1000, t of 2', { gas: 1, timesRestored: 1 }],
  ['waits for a node that accepts the message', 'a', INVALID, 'wait from 100', other(ACCEPTED)],
  ['becomes a transfer for its size', 'a', TOO_LARGE, 'MsgSend 200000/2000, a of 1'],
  ['returns to its messages', 'abcd ab @200000', CLOSED, 'raise transactions-refused, abcd 400000/4000'],
  ["returns at today's price", 'a:500 @200000', CLOSED, 'raise transactions-refused, a 100000/1000'],
  ['returns to no settled message', 'a- @200000', CLOSED, 'raise transactions-refused, a 200000/2000'],
  ['has no message to return to', '- @200000', CLOSED, 'raise transactions-refused'],
  ['never signs a settled message again', '-b', INVALID, 'b 150000/1500', { gas: 100_000 }]
]

const [alone, again] = [{ otherNodes: [] }, { ...allowed, otherNodes: [], refusal: INVALID }]

for (const [rows, before] of [
  [FIRST, {}],
  [ASKED, alone],
  [AGAIN, again]
] as const) {
  for (const [what, signedTxs, response, move, change] of rows) {
    test(`a slot ${what}`, async t => {
      const all = { ...before, ...change }
      t.equal(textOf(nextMove(slotOf(signedTxs, all), response, { ...known, ...all })), move)
    })
  }
}

const DIFFERENT = other(refused(18, 'no', 'other'))

// Who refuses the gas or the content of a lone message, and against whom that counts.
for (const [who, byGas, byContent, nodes] of [
  ['two nodes', 'nodes', 'nodes', { agreement: 'two' }],
  ['the only node', 'onlyNode', 'nodes', { agreement: 'same' }],
  ['the only node that responds', 'onlyNode', 'onlyNode', { agreement: 'none' }],
  ['one of two nodes that differ', 'node', 'node', { agreement: 'none', ...DIFFERENT }]
] as const) {
  test(`a refusal by ${who} counts as ${byGas} for gas, ${byContent} for content`, async t => {
    for (const [gasLimit, response, by] of [
      [2_000_000, OUT_OF_GAS, byGas],
      [300_000, excess(250_000), byGas],
      [100_000, INVALID, byContent]
    ] as const) {
      const all = { ...again, ...nodes }
      const move = nextMove(slotOf(`a@${gasLimit}`, all), response, { ...known, ...all })
      t.match(move, { do: 'signAgain', failure: { suspects: ['a'], messages: 1, by } }, response.log)
    }
  })
}

test('a slot is overdue after two blocks without it', async t => {
  const overdue = [undefined, 99, 98].map(sentAt => isOverdue(slotOf('a', { sentAt }), 100))
  t.strictSame(overdue, [false, false, true])
})

test('a slot leaves out settled submissions before it is sent', async t => {
  const move = (letters: string) => textOf(withoutSettled(slotOf(letters), { ...known, gas: 140_000 }))
  t.equal(move('a'), 'nothing')
  t.equal(move('a-c-'), 'ac 210000/2100')
  t.equal(move('-'), 'MsgSend 200000/2000')
})

test('the fee of a slot is that of its most expensive transaction', async t => {
  t.equal(dearestFee(slotOf('a:1000 a:4000 a:2000')), 4000n)
})

test('nodes ignore a transaction that three blocks and seven seconds lack', async t => {
  for (const [blocks, ms, ignored] of [
    [2, 60_000, false],
    [30, 6999, false],
    [3, 7000, true]
  ] as const)
    t.equal(isIgnored(blocks, ms), ignored, `${blocks} blocks, ${ms} ms`)
})

import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BroadcastResult } from '../../../../services/chain-client/index.ts'
import type { SignedTx } from '../../../../services/submission/contract.ts'
import {
  isOverdue,
  nextMove,
  type SlotKnowledge,
  type SlotMove,
  withoutSettled
} from '../../../../services/submission/decide/slot.ts'
import { createSlotTable, type OpenSlot } from '../../../../services/submission/slots.ts'
import { test } from '../../../helpers/tap.ts'
import { wallet } from '../../../helpers/wallet.ts'

/** Builds a transaction with a message for each letter, at the usual gas of 100,000 and price of 0.01. */
function tx(letters: string, change: Partial<SignedTx> & { denom?: string } = {}): SignedTx {
  const ids = letters.split('').map(id => id.trim())
  const { denom = 'unit', gasLimit = 100_000 * Math.max(1, ids.length), ...rest } = change
  const { feeAmount = BigInt(gasLimit / 100) } = rest
  const messages = ids.map(id => ({
    typeUrl: id === 'L' ? '/test.MsgRequestHtlcLock' : '/test.Request',
    value: Buffer.from(id)
  }))
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const fee = { amount: [{ denom, amount: String(feeAmount) }] }
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee })).finish()
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()
  const hash = `${ids} ${gasLimit} ${feeAmount}`
  return { sequence: 7, hash, bytes, gasLimit, submissionIds: ids, ...rest, feeAmount }
}

/** A change of the slot, or of what is known. */
type Change = Partial<SlotKnowledge & OpenSlot>

function slotOf(signedTxs: SignedTx[], change: Change = {}): OpenSlot {
  const slots = createSlotTable()
  for (const signedTx of signedTxs) slots.add(signedTx)
  const slot = slots.first()
  if (!slot) throw new TypeError('a slot needs a transaction')
  return Object.assign(slot, change)
}

const FOUR = tx('abcd')
const TWO = tx('ab')
const ONE = tx('a')
const CONTROL = tx('', { gasLimit: 200_000 })
const WRONG = tx('a', { denom: 'wrong', feeAmount: 5000n })

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
const dearer = { gasPrice: '0.03' }

/** Formats a move: a signature by its messages, gas limit and fee, such as `ab 210000/2100, max 250000, c of 3 by node`. */
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
    ...(failure ? [`${failure.suspects.join('')} of ${failure.messages} by ${failure.by}`] : [])
  ].join(', ')
}

/** `what` happens to a slot with these transactions after this response. */
type Row = [what: string, signedTxs: SignedTx[], response: BroadcastResult, move: string, change?: Change]

const FIRST: Row[] = [
  ['waits after a node accepted it', [ONE], ACCEPTED, 'wait'],
  ['waits while a node has it in its cache', [ONE], CACHED, 'wait', { timesSent: 2 }],
  [
    'is signed with new bytes if it is cached but in no block',
    [ONE],
    CACHED,
    'a 100000/1001',
    { timesSent: 3 }
  ],
  [
    'is signed with new bytes again only after twice as long',
    [ONE, tx('a', { feeAmount: 1001n })],
    CACHED,
    'wait',
    { timesSent: 5 }
  ],
  ['waits if a refusal reports that it is cached', [ONE], refused(19), 'wait'],
  ['is sent again without a response', [ONE], { status: 'unavailable', reason: 'x' }, 'resend'],
  ['is sent again while a mempool is full', [ONE], refused(20), 'resend', { refusals: 1 }],
  ['waits if its sequence is used', [ONE], sequence(8), 'wait'],
  ['is sent again after its predecessors', [ONE], sequence(6), 'resend'],
  ['asks other nodes before it pays more', [ONE], fee('2000unit'), 'ask otherNodes'],
  ["pays today's price before anything else", [ONE], fee('2000unit'), 'a 100000/3000', dearer],
  ["pays in today's denomination", [WRONG], fee('500unit'), 'a 100000/1000'],
  ['waits for funds', [ONE], SPENT, 'raise insufficient-funds'],
  ['waits for an account', [ONE], NO_ACCOUNT, 'raise insufficient-funds'],
  ['needs fewer funds at a lower price', [ONE], SPENT, 'a 100000/100', { gasPrice: '0.001' }],
  ["needs funds in today's denomination", [WRONG], SPENT, 'a 100000/1000'],
  ["is a transfer in today's denomination", [tx('', { denom: 'x' })], SPENT, 'MsgSend 100000/1000'],
  ['waits for another signature', [ONE], UNSIGNED, 'raise signature-refused'],
  ['asks other nodes before it gets more gas', [TWO], OUT_OF_GAS, 'ask otherNodes'],
  ['asks other nodes before it requests less gas', [FOUR], excess(250_000), 'ask otherNodes'],
  ['asks other nodes about the gas of a block', [FOUR], ABOVE_BLOCK, 'ask otherNodes'],
  ['asks other nodes about its size', [ONE], TOO_LARGE, 'ask otherNodes'],
  ['is sent once more before its content changes', [FOUR], INVALID, 'repeat'],
  ['asks whether the chain accepts anything', [FOUR], INVALID, 'ask control', { refusals: 1 }],
  ['asks other nodes about a lone message', [ONE], INVALID, 'ask otherNodes', { refusals: 1, ...allowed }]
]

// Other nodes have been asked: without a response, unless a row has one.
const ASKED: Row[] = [
  ['pays the required fee', [TWO], fee('5000unit'), 'ab 200000/5000, new price'],
  ['pays the lowest fee', [ONE], fee('3000unit'), 'a 100000/2000, new price', other(fee('2000unit'))],
  [
    'ignores amounts in other refusals',
    [ONE],
    fee('2000unit'),
    'a 100000/2000, new price',
    other(refused(18, 'required: 1500unit'))
  ],
  ['pays half more than the node requires', [ONE], fee('1000unit'), 'a 100000/1500, new price'],
  ['pays half more if no amount can be read', [ONE], refused(13), 'a 100000/1500, new price'],
  ['never pays above the limit', [ONE], fee('5001unit'), 'raise fee-too-high'],
  ['pays only in its own denomination', [tx('a', { feeAmount: 5000n })], fee('1other'), 'raise fee-too-high'],
  [
    'waits for a node that accepts the fee',
    [ONE],
    fee('2000unit'),
    'wait from 99',
    { ...other(ACCEPTED), newestHeight: 99 }
  ],
  [
    'pays more if it is missing from two blocks',
    [ONE],
    fee('2000unit'),
    'a 100000/2000, new price',
    { ...other(CACHED), acceptedElsewhereAt: 98 }
  ],
  ['waits for a node that needs no more gas', [TWO], OUT_OF_GAS, 'wait from 100', other(ACCEPTED)],
  ['waits for a node that accepts the gas', [FOUR], excess(250_000), 'wait from 100', other(ACCEPTED)],
  ['waits for a node that accepts its size', [ONE], TOO_LARGE, 'wait from 100', other(CACHED)],
  ['gets half more gas', [TWO], OUT_OF_GAS, 'ab 300000/3000'],
  ['gets at most the cap', [tx('a', { gasLimit: 1_900_000 })], OUT_OF_GAS, 'a 2000000/20000'],
  ['gets no gas beyond the cap', [tx('a', { gasLimit: 2_000_000 })], OUT_OF_GAS, 'repeat'],
  ['gets at most four times the first gas', [ONE, tx('a', { gasLimit: 270_000 })], OUT_OF_GAS, 'repeat'],
  [
    'gets four times the first gas',
    [tx('a', { gasLimit: 150_000 }), tx('a', { gasLimit: 400_000 })],
    OUT_OF_GAS,
    'a 600000/6000'
  ],
  [
    'that is a transfer gets the gas that the node accepts',
    [CONTROL],
    excess(150_000),
    'MsgSend 150000/1500, max 150000',
    allowed
  ],
  ['that is a transfer is repeated if the accepted gas is too low for it', [CONTROL], EXCESS, 'repeat'],
  ['reduces the gas of a transfer once', [tx('', { gasLimit: 150_000 })], excess(149_999), 'repeat', allowed],
  ['checks a gas limit below the control message’s gas', [FOUR], excess(1), 'ask control'],
  [
    'ignores a gas limit below the control message’s gas',
    [FOUR],
    excess(99_999),
    'abc 300000/3000, max 300000',
    { ...allowed, gas: 100_000 }
  ],
  ['simulates the messages that fit', [FOUR], excess(250_000), 'ask gas'],
  ['keeps the messages that fit', [FOUR], ABOVE_BLOCK, 'ab 210000/2100, max 250000', { gas: 140_000 }],
  [
    'keeps the messages that fit the highest gas that a node accepts',
    [FOUR],
    excess(250_000),
    'abc 310000/3100, max 310000',
    {
      otherNodes: [refused(41, 'exceeds block max gas 310000'), refused(7, 'maximum is 390000')],
      gas: 300_000
    }
  ],
  [
    'ignores a gas limit that it does not exceed',
    [FOUR],
    excess(400_000),
    'abc 300000/3000, max 300000',
    { gas: 1 }
  ],
  [
    'keeps messages that are signed with the accepted gas',
    [tx('ab', { gasLimit: 250_000 }), FOUR],
    excess(250_000),
    'ab 250000/2500, max 250000'
  ],
  [
    'simulates messages that were signed with too much gas',
    [tx('ab', { gasLimit: 250_001, feeAmount: 2501n }), FOUR],
    excess(250_000),
    'ask gas'
  ],
  [
    'keeps one message',
    [tx('ab', { gasLimit: 900_000 })],
    excess(250_000),
    'a 250000/2500, max 250000',
    { gas: 1 }
  ],
  [
    'becomes a transfer if its lone message needs too much gas',
    [ONE],
    EXCESS,
    'MsgSend 75000/750, max 75000, a of 1 by node'
  ]
]

// The content was refused before, and the chain accepts other requests of the wallet.
const AGAIN: Row[] = [
  ['waits while the chain accepts nothing', [FOUR], INVALID, 'raise wallet-not-whitelisted', shutOut],
  ["gets today's price before it is halved", [FOUR], INVALID, 'abcd 400000/12000', dearer],
  ['is halved', [FOUR], INVALID, 'ab 200000/2000, cd of 4 by node', { gas: 130_000 }],
  [
    'is halved with an invalid control',
    [TWO],
    INVALID,
    'a 100000/1000, b of 2 by node',
    { ...invalidControl, gas: 1 }
  ],
  ['gets its share of the gas', [FOUR], INVALID, 'ab 200000/2000, cd of 4 by node', { gas: 'unknown' }],
  [
    'never pays more for fewer messages',
    [FOUR],
    INVALID,
    'ab 400000/4000, cd of 4 by node',
    { gas: 10 ** 9 }
  ],
  [
    'is halved to what is signed already',
    [tx('ab', { gasLimit: 180_000 }), FOUR],
    INVALID,
    'ab 180000/1800, cd of 4 by node'
  ],
  [
    'is halved to its last messages the second time',
    [FOUR],
    INVALID,
    'cd 200000/2000, ab of 4 by node',
    { gas: 1, timesRestored: 1 }
  ],
  [
    'never keeps a transfer without its lock',
    [tx('Lt')],
    INVALID,
    'L 100000/1000, t of 2 by node',
    { gas: 1, timesRestored: 1 }
  ],
  ['waits for a node that accepts the message', [ONE], INVALID, 'wait from 100', other(ACCEPTED)],
  ['becomes a transfer for its content', [ONE], CLOSED, 'MsgSend 200000/2000, a of 1 by node'],
  ['becomes a transfer for its size', [ONE], TOO_LARGE, 'MsgSend 200000/2000, a of 1 by node'],
  [
    'returns to all messages if the transfer is refused',
    [FOUR, TWO, CONTROL],
    CLOSED,
    'raise transactions-refused, abcd 400000/4000'
  ],
  [
    "returns to its messages at today's price",
    [WRONG, CONTROL],
    CLOSED,
    'raise transactions-refused, a 100000/1000'
  ],
  ['returns to no settled message', [tx('a '), CONTROL], CLOSED, 'raise transactions-refused, a 200000/2000'],
  ['has no message to return to', [tx(' '), CONTROL], CLOSED, 'raise transactions-refused'],
  // Settled messages are left out, whatever a node says.
  ...[ACCEPTED, CACHED, fee('3000unit'), INVALID].map(
    (response): Row => [
      `never signs a settled message again: ${JSON.stringify(response).slice(10, 35)}`,
      [tx(' b')],
      response,
      'b 150000/1500',
      { timesSent: 3, gas: 100_000 }
    ]
  )
]

const [alone, again] = [{ otherNodes: [] }, { ...allowed, otherNodes: [], refusals: 1 }]

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

// Who refuses the gas or the content of a lone message, and against whom that counts.
for (const [who, byGas, byContent, nodes] of [
  ['two nodes', 'nodes', 'nodes', { agreement: 'two' }],
  ['the only node', 'onlyNode', 'nodes', { agreement: 'same' }],
  ['the only node that responds', 'onlyNode', 'onlyNode', { agreement: 'none' }],
  [
    'one of two nodes that differ',
    'node',
    'node',
    { agreement: 'none', ...other(refused(18, 'no', 'other')) }
  ]
] as const) {
  test(`a refusal by ${who} counts as ${byGas} for gas, ${byContent} for content`, async t => {
    for (const [gasLimit, response, by] of [
      [2_000_000, OUT_OF_GAS, byGas],
      [300_000, excess(250_000), byGas],
      [100_000, INVALID, byContent]
    ] as const) {
      const all = { ...again, ...nodes }
      const move = nextMove(slotOf([tx('a', { gasLimit })], all), response, { ...known, ...all })
      t.match(move, { do: 'signAgain', failure: { suspects: ['a'], messages: 1, by } }, response.log)
    }
  })
}

test('a slot is overdue after two blocks without it', async t => {
  for (const [sentAt, overdue] of [
    [undefined, false],
    [99, false],
    [98, true]
  ] as const)
    t.equal(isOverdue(slotOf([ONE], { sentAt }), 100), overdue)
})

test('a slot leaves out settled submissions before it is sent', async t => {
  const move = (letters: string) => textOf(withoutSettled(slotOf([tx(letters)]), { ...known, gas: 140_000 }))
  t.equal(move('a'), 'nothing')
  t.equal(move('a c '), 'ac 210000/2100')
  t.equal(move(' '), 'MsgSend 200000/2000')
})

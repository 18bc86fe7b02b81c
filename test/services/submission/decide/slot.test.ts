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

const TYPE = '/test.Request'
const LOCK = '/test.MsgRequestHtlcLock'

/** Builds a transaction with a message for each submission, at the usual gas of 100,000 and price of 0.01. */
function tx(ids: string[], change: Partial<SignedTx> & { denom?: string } = {}): SignedTx {
  const { denom = 'unit', gasLimit = 100_000 * Math.max(1, ids.length), ...rest } = change
  const { feeAmount = BigInt(gasLimit / 100) } = rest
  const messages = ids.map(id => ({ typeUrl: id === 'lock' ? LOCK : TYPE, value: Buffer.from(id) }))
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages })).finish()
  const fee = { amount: [{ denom, amount: String(feeAmount) }] }
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ fee })).finish()
  const bytes = TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()
  return {
    sequence: 7,
    hash: `${ids} ${gasLimit} ${feeAmount}`,
    bytes,
    gasLimit,
    submissionIds: ids,
    ...rest,
    feeAmount
  }
}

function slotOf(signedTxs: SignedTx[], change: Partial<OpenSlot> = {}): OpenSlot {
  const slots = createSlotTable()
  for (const signedTx of signedTxs) slots.add(signedTx)
  const slot = slots.first()
  if (!slot) throw new TypeError('a slot needs a transaction')
  return Object.assign(slot, change)
}

const FOUR = tx(['a', 'b', 'c', 'd'])
const TWO = tx(['a', 'b'])
const ONE = tx(['a'])
const CONTROL = tx([], { gasLimit: 200_000 })

const refused = (code: number, log = 'no', codespace = 'sdk') =>
  ({ status: 'refused', code, codespace, log }) as const
const insufficientFee = (required: string) =>
  refused(13, `insufficient fees; got: 1unit required: ${required}: insufficient fee`)
const TOO_MUCH_GAS = refused(11, 'Too much gas wanted: 400000, maximum is 250,000: out of gas')
const TOO_MUCH_GAS_OF_ANY = refused(11, 'Too much gas wanted: out of gas')
const OUT_OF_GAS = refused(11, 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas')
const ABOVE_BLOCK = refused(41, 'tx gas limit 400000 exceeds block max gas 250000: invalid gas limit')
const TOO_LARGE = refused(21, 'tx size is too big: 15000, max: 10000')
const SPENT = refused(5, 'spendable balance 0unit is smaller than 1unit: insufficient funds')
const CLOSED = refused(7, 'the lane is closed', 'lane')

const known: SlotKnowledge = {
  address: wallet.address,
  feeDenom: 'unit',
  gasMultiplier: '1.5',
  maxMessageGas: 2_000_000,
  maxTransactionGas: 25_000_000,
  gasPrice: '0.01',
  maxPriceFactor: 5,
  required: undefined,
  now: 0,
  cursorHeight: 100,
  newestHeight: 100
}

/** No other node responded. */
const alone = { otherNodes: [] }
const again = { refusals: 1 }
const allowed = { control: { status: 'passed', node: 'one', gasUsed: 100_000 } } as const
const dearer = { gasPrice: '0.03' }
const cheaper = { gasPrice: '0.001' }

/** `what` happens, for a slot with these transactions, after this response. */
type Row = [
  what: string,
  signedTxs: SignedTx[],
  response: BroadcastResult,
  move: object,
  known?: Partial<SlotKnowledge>,
  slot?: Partial<OpenSlot>
]

const signs = (submissionIds: string[], gasLimit: number, feeAmount: number, effects = {}) => ({
  do: 'signAgain',
  plan: {
    submissionIds,
    gasLimit,
    feeAmount: BigInt(feeAmount),
    messages: { length: Math.max(1, submissionIds.length) }
  },
  ...effects
})

const WAITS = { do: 'wait' }
const RESENDS = { do: 'resend' }
const REPEATS = { do: 'repeat' }
const ASKS_NODES = { do: 'ask', about: 'otherNodes' }
const ASKS_GAS = { do: 'ask', about: 'gas' }

const ROWS: Row[] = [
  // The mempool.
  ['waits after a node accepted it', [ONE], { status: 'accepted' }, WAITS],
  ['waits while a node has it in its cache', [ONE], { status: 'known' }, WAITS, {}, { timesSent: 2 }],
  [
    'changes bytes that a node has in its cache but in no block',
    [ONE],
    { status: 'known' },
    signs(['a'], 100_000, 1001),
    {},
    { timesSent: 3 }
  ],
  [
    'takes twice as long for the next change',
    [ONE, tx(['a'], { feeAmount: 1001n })],
    refused(19),
    WAITS,
    {},
    { timesSent: 5 }
  ],
  ['is sent again without a response', [ONE], { status: 'unavailable', reason: 'x' }, RESENDS],
  ['is sent again while a mempool is full', [ONE], refused(20), RESENDS, {}, again],
  [
    "is sent again while an application's mempool is full",
    [ONE],
    refused(1, 'pool reached max tx capacity', ''),
    RESENDS,
    {},
    again
  ],
  // The sequence.
  [
    'waits if its sequence is used',
    [ONE],
    refused(32, 'account sequence mismatch, expected 8, got 7'),
    WAITS
  ],
  [
    'is sent again after its predecessors',
    [ONE],
    refused(32, 'account sequence mismatch, expected 6, got 7'),
    RESENDS
  ],
  // The fee.
  [
    'asks other nodes before it pays more',
    [ONE],
    insufficientFee('2000unit'),
    { do: 'ask', about: 'otherNodes' }
  ],
  [
    'pays the required fee',
    [TWO],
    insufficientFee('5000unit'),
    signs(['a', 'b'], 200_000, 5000, { isNewPrice: true }),
    { otherNodes: [] }
  ],
  [
    'pays the lowest fee that nodes require',
    [ONE],
    insufficientFee('3000unit'),
    signs(['a'], 100_000, 2000),
    { otherNodes: [insufficientFee('2000unit')] }
  ],
  [
    'ignores amounts in refusals that are not about the fee',
    [ONE],
    insufficientFee('2000unit'),
    signs(['a'], 100_000, 2000),
    { otherNodes: [refused(18, 'required: 1500unit')] }
  ],
  [
    'pays half more if the fee is what the node requires',
    [ONE],
    insufficientFee('1000unit'),
    signs(['a'], 100_000, 1500),
    { otherNodes: [] }
  ],
  [
    'never pays more than the limit',
    [ONE],
    insufficientFee('5001unit'),
    { do: 'raise', kind: 'fee-too-high' },
    { otherNodes: [] }
  ],
  [
    'pays half more if no amount can be read',
    [ONE],
    refused(13, 'too low'),
    signs(['a'], 100_000, 1500),
    { otherNodes: [] }
  ],
  [
    'pays no more in another denomination than in its own',
    [tx(['a'], { feeAmount: 5000n })],
    insufficientFee('1other'),
    { do: 'raise', kind: 'fee-too-high' },
    { otherNodes: [] }
  ],
  [
    'reads a fee by its sentence under any code',
    [ONE],
    refused(3, 'provided fee < minimum global fee (1 < 2000)', 'x'),
    signs(['a'], 100_000, 2000),
    { otherNodes: [] }
  ],
  [
    'waits two blocks for a node that accepts the fee',
    [ONE],
    insufficientFee('2000unit'),
    { do: 'wait', acceptedElsewhereAt: 103 },
    { otherNodes: [{ status: 'accepted' }], newestHeight: 103 }
  ],
  [
    'pays more if these blocks lack it',
    [ONE],
    insufficientFee('2000unit'),
    signs(['a'], 100_000, 2000),
    { otherNodes: [{ status: 'known' }] },
    { acceptedElsewhereAt: 98 }
  ],
  [
    "pays today's price before anything else",
    [ONE],
    insufficientFee('2000unit'),
    signs(['a'], 100_000, 3000),
    dearer
  ],
  [
    "is paid in today's denomination",
    [tx(['a'], { denom: 'wrong', feeAmount: 5000n })],
    insufficientFee('500unit'),
    signs(['a'], 100_000, 1000)
  ],
  // What only the operators can change.
  ['waits for funds', [ONE], SPENT, { do: 'raise', kind: 'insufficient-funds' }],
  [
    'waits for an account',
    [ONE],
    refused(9, `account ${wallet.address} does not exist: unknown address`),
    { do: 'raise', kind: 'insufficient-funds' }
  ],
  ["needs fewer funds at today's price", [ONE], SPENT, signs(['a'], 100_000, 100), cheaper],
  [
    "needs funds in today's denomination",
    [tx(['a'], { denom: 'wrong' })],
    SPENT,
    signs(['a'], 100_000, 1000)
  ],
  [
    "is a transfer in today's denomination",
    [tx([], { denom: 'wrong' })],
    SPENT,
    signs([], 100_000, 1000, { plan: { messages: [{ typeUrl: /MsgSend/ }] } })
  ],
  [
    'waits for another signature',
    [ONE],
    refused(4, 'signature verification failed; please verify account number (3): unauthorized'),
    { do: 'raise', kind: 'signature-refused' }
  ],
  // The gas.
  ['asks other nodes before it pays for more gas', [TWO], OUT_OF_GAS, ASKS_NODES],
  [
    'waits two blocks for a node that needs no more gas',
    [TWO],
    OUT_OF_GAS,
    { do: 'wait', acceptedElsewhereAt: 100 },
    { otherNodes: [{ status: 'accepted' }] }
  ],
  ['gets half more gas', [TWO], OUT_OF_GAS, signs(['a', 'b'], 300_000, 3000), alone],
  [
    'gets half more gas if the refusal has no figures, too',
    [TWO],
    refused(11, 'out of gas'),
    signs(['a', 'b'], 300_000, 3000),
    alone
  ],
  [
    'gets at most the gas per message',
    [ONE],
    OUT_OF_GAS,
    signs(['a'], 120_000, 1200),
    { ...alone, maxTransactionGas: 120_000 }
  ],
  ['gets no gas beyond the cap', [ONE], OUT_OF_GAS, REPEATS, { ...alone, maxTransactionGas: 100_000 }],
  [
    'gets at most four times the first gas',
    [ONE, tx(['a'], { gasLimit: 337_500 })],
    OUT_OF_GAS,
    REPEATS,
    alone
  ],
  [
    'gets exactly four times the first gas',
    [tx(['a'], { gasLimit: 150_000 }), tx(['a'], { gasLimit: 400_000 })],
    OUT_OF_GAS,
    signs(['a'], 600_000, 6000),
    alone
  ],
  [
    'is a transfer with less gas if even that is refused',
    [CONTROL],
    refused(11, 'Too much gas wanted, maximum is 150000'),
    signs([], 150_000, 1500),
    { ...allowed, ...alone }
  ],
  [
    'is a transfer that is refused for its gas without a limit',
    [CONTROL],
    TOO_MUCH_GAS_OF_ANY,
    REPEATS,
    alone
  ],
  [
    'is a transfer whose gas was reduced before',
    [tx([], { gasLimit: 150_000 })],
    refused(11, 'Too much gas wanted, maximum is 149999'),
    REPEATS,
    { ...allowed, ...alone }
  ],
  [
    'asks how much gas the control needs before it requests less than that',
    [FOUR],
    refused(11, 'Too much gas wanted, maximum is 1'),
    { do: 'ask', about: 'control' },
    alone
  ],
  [
    'believes no limit below the gas of the control',
    [FOUR],
    refused(11, 'Too much gas wanted, maximum is 99999'),
    signs(['a', 'b', 'c'], 300_000, 3000, { ceiling: 300_000 }),
    { ...allowed, ...alone, gas: 100_000 }
  ],
  ['asks other nodes before it requests less gas', [FOUR], TOO_MUCH_GAS, ASKS_NODES],
  ['asks other nodes about the gas of a block', [FOUR], ABOVE_BLOCK, ASKS_NODES],
  [
    'waits two blocks for a node that accepts the gas',
    [FOUR],
    TOO_MUCH_GAS,
    { do: 'wait', acceptedElsewhereAt: 100 },
    { otherNodes: [{ status: 'accepted' }] }
  ],
  [
    'keeps the messages that fit into a block',
    [FOUR],
    ABOVE_BLOCK,
    signs(['a', 'b'], 210_000, 2100, { ceiling: 250_000 }),
    { ...alone, gas: 140_000 }
  ],
  [
    'keeps the messages that fit into the highest gas that a node accepts',
    [FOUR],
    TOO_MUCH_GAS,
    signs(['a', 'b', 'c'], 310_000, 3100, { ceiling: 310_000 }),
    {
      otherNodes: [refused(41, 'exceeds block max gas 310000'), refused(7, 'maximum is 390000')],
      gas: 300_000
    }
  ],
  [
    'ignores a named limit that it keeps to',
    [FOUR],
    refused(11, 'Too much gas wanted, maximum is 400000'),
    signs(['a', 'b', 'c'], 300_000, 3000),
    { ...alone, gas: 100_000 }
  ],
  ['asks how much gas the messages need that fit', [FOUR], TOO_MUCH_GAS, ASKS_GAS, alone],
  [
    'keeps the messages that fit into the accepted gas',
    [FOUR],
    TOO_MUCH_GAS,
    signs(['a', 'b'], 250_000, 2500, { ceiling: 250_000, failure: undefined }),
    { ...alone, gas: 190_000 }
  ],
  [
    'keeps messages that are signed with the accepted gas',
    [tx(['a', 'b'], { gasLimit: 250_000 }), FOUR],
    TOO_MUCH_GAS,
    signs(['a', 'b'], 250_000, 2500),
    alone
  ],
  [
    'signs messages again that are signed with more gas',
    [tx(['a', 'b'], { gasLimit: 250_001, feeAmount: 2501n }), FOUR],
    TOO_MUCH_GAS,
    ASKS_GAS,
    alone
  ],
  [
    'keeps three of four messages if no gas is named',
    [FOUR],
    TOO_MUCH_GAS_OF_ANY,
    signs(['a', 'b', 'c'], 300_000, 3000, { ceiling: 300_000 }),
    { ...alone, gas: 100_000 }
  ],
  [
    'never pays more gas for fewer messages',
    [FOUR],
    refused(18),
    signs(['a', 'b'], 400_000, 4000),
    { ...allowed, gas: 10 ** 9 },
    again
  ],
  [
    'postpones a lone message with a transfer of little gas',
    [ONE],
    TOO_MUCH_GAS_OF_ANY,
    signs([], 75_000, 750, { failure: { suspects: ['a'], by: 'node' }, ceiling: 75_000 }),
    alone
  ],
  [
    'keeps one message in any case',
    [tx(['a', 'b'], { gasLimit: 900_000 })],
    TOO_MUCH_GAS,
    signs(['a'], 250_000, 2500),
    { ...alone, gas: 100_000 }
  ],
  // The size.
  ['asks other nodes about its size', [ONE], TOO_LARGE, ASKS_NODES],
  [
    'waits two blocks for a node that accepts its size',
    [ONE],
    TOO_LARGE,
    { do: 'wait', acceptedElsewhereAt: 100 },
    { otherNodes: [{ status: 'known' }] }
  ],
  [
    'becomes a transfer instead of a message that two nodes call too large, which counts against it',
    [ONE],
    TOO_LARGE,
    signs([], 200_000, 2000, { failure: { suspects: ['a'], messages: 1, by: 'nodes' } }),
    { ...allowed, otherNodes: [TOO_LARGE], agreement: 'two' },
    again
  ],
  [
    'counts its size against no message on the word of one node',
    [ONE],
    TOO_LARGE,
    signs([], 200_000, 2000, { failure: { by: 'node' } }),
    { ...allowed, ...alone },
    again
  ],
  ['asks other nodes about a lone message', [ONE], refused(18), ASKS_NODES, allowed, again],
  [
    'waits two blocks for a node that accepts the lone message',
    [ONE],
    refused(18),
    { do: 'wait', acceptedElsewhereAt: 100 },
    { ...allowed, otherNodes: [{ status: 'accepted' }] },
    again
  ],
  [
    'becomes a transfer instead of a message that two nodes refuse, which counts against it',
    [ONE],
    refused(18),
    signs([], 200_000, 2000, { failure: { suspects: ['a'], messages: 1, by: 'nodes' } }),
    { ...allowed, otherNodes: [refused(18)], agreement: 'two' },
    again
  ],
  ...(
    [
      ['two nodes', 'nodes', 'nodes', { agreement: 'two' }],
      ['the only node', 'onlyNode', 'nodes', { agreement: 'same' }],
      ['the only one that responds', 'onlyNode', 'onlyNode', { agreement: 'none' }],
      [
        'one of two nodes that differ',
        'node',
        'node',
        { agreement: 'none', otherNodes: [refused(18, 'no', 'other')] }
      ]
    ] as const
  ).flatMap(([who, gas, content, nodes]): Row[] => [
    [
      `counts against a message that CheckTx runs out of gas at the highest gas at ${who}`,
      [tx(['a'], { gasLimit: 2_000_000 })],
      OUT_OF_GAS,
      signs([], 200_000, 2000, { failure: { suspects: ['a'], by: gas } }),
      { ...allowed, ...alone, ...nodes },
      again
    ],
    [
      `counts against a lone message that its gas is refused by ${who}`,
      [tx(['a'], { gasLimit: 300_000 })],
      TOO_MUCH_GAS,
      signs([], 200_000, 2000, { failure: { suspects: ['a'], messages: 1, by: gas }, ceiling: 250_000 }),
      { ...alone, ...nodes }
    ],
    [
      `counts against a message that its content is refused by ${who}`,
      [ONE],
      refused(18),
      signs([], 200_000, 2000, { failure: { by: content } }),
      { ...allowed, ...alone, ...nodes },
      again
    ]
  ]),
  // The content.
  ['is sent once more before it changes', [FOUR], refused(18), REPEATS],
  [
    'asks whether the chain accepts anything',
    [FOUR],
    refused(18),
    { do: 'ask', about: 'control' },
    {},
    again
  ],
  [
    'does not change while the chain accepts nothing',
    [FOUR],
    refused(18),
    { do: 'raise', kind: 'wallet-not-whitelisted' },
    { control: { status: 'refused', kind: 'wallet-not-whitelisted', reason: 'x' } },
    again
  ],
  [
    'is halved although the control is refused, because an upgrade may have made it invalid',
    [FOUR],
    refused(18),
    signs(['a', 'b'], 200_000, 2000),
    { control: { status: 'refused', kind: 'requests-refused', reason: 'x' }, gas: 130_000 },
    again
  ],
  [
    "is signed with today's price before it is halved",
    [FOUR],
    refused(18),
    signs(['a', 'b', 'c', 'd'], 400_000, 12_000),
    dearer,
    again
  ],
  [
    'is halved',
    [FOUR],
    refused(18),
    signs(['a', 'b'], 200_000, 2000, { failure: { suspects: ['c', 'd'], messages: 4, by: 'node' } }),
    { ...allowed, gas: 130_000 },
    again
  ],
  [
    'gets the gas of its share if no node simulates it',
    [FOUR],
    refused(18),
    signs(['a', 'b'], 200_000, 2000),
    { ...allowed, gas: 'unknown' },
    again
  ],
  [
    'is halved to what is signed already',
    [tx(['a', 'b'], { gasLimit: 180_000 }), FOUR],
    refused(18),
    signs(['a', 'b'], 180_000, 1800),
    allowed,
    again
  ],
  [
    'is halved to its last messages the second time',
    [FOUR],
    refused(18),
    signs(['c', 'd'], 200_000, 2000),
    { ...allowed, gas: 1 },
    { ...again, timesRestored: 1 }
  ],
  [
    'never keeps a transfer without its lock',
    [tx(['lock', 'transfer'])],
    refused(18),
    signs(['lock'], 100_000, 1000, { failure: { suspects: ['transfer'] } }),
    { ...allowed, gas: 1 },
    { ...again, timesRestored: 1 }
  ],
  [
    'becomes a transfer instead of a lone message',
    [ONE],
    refused(4, 'not allowed: unauthorized'),
    signs([], 200_000, 2000, { failure: { suspects: ['a'], messages: 1, by: 'node' } }),
    { ...allowed, ...alone },
    again
  ],
  [
    'returns to all messages if the transfer is refused',
    [FOUR, TWO, CONTROL],
    CLOSED,
    { do: 'raise', kind: 'transactions-refused', restored: signs(['a', 'b', 'c', 'd'], 400_000, 4000) },
    {},
    again
  ],
  [
    "returns to its messages at today's price",
    [tx(['a'], { denom: 'wrong' }), CONTROL],
    CLOSED,
    { do: 'raise', restored: signs(['a'], 100_000, 1000) },
    {},
    again
  ],
  [
    'returns to no settled message',
    [tx(['a', '']), CONTROL],
    CLOSED,
    { do: 'raise', restored: signs(['a'], 200_000, 2000) },
    {},
    again
  ],
  [
    'has no message to return to',
    [tx(['']), CONTROL],
    CLOSED,
    { do: 'raise', kind: 'transactions-refused', restored: undefined },
    {},
    again
  ]
]

for (const [what, signedTxs, response, move, change, slot] of ROWS) {
  test(`a slot ${what}`, async t => {
    t.match(nextMove(slotOf(signedTxs, slot), response, { ...known, ...change }), move)
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

const LEFT: [what: string, current: SignedTx, move: SlotMove['do'] | undefined | object, gas?: number][] = [
  ['stays as it is without settled submissions', ONE, undefined],
  ['leaves out settled submissions', tx(['a', '', 'c', '']), signs(['a', 'c'], 210_000, 2100), 140_000],
  ['becomes a transfer if all are settled', tx(['']), signs([], 200_000, 2000)]
]

for (const [what, current, move, gas] of LEFT) {
  test(`a slot ${what}`, async t => {
    t.match(withoutSettled(slotOf([current]), { ...known, ...(gas && { gas }) }), move)
  })
}

for (const response of [
  { status: 'accepted' },
  { status: 'known' },
  insufficientFee('3000unit'),
  refused(18)
] as const) {
  test(`a slot never signs a settled message again: ${response.status} ${'code' in response ? response.code : ''}`, async t => {
    const slot = slotOf([tx(['', 'b'])], { ...again, timesSent: 3 })
    const evidence = { ...known, ...allowed, ...alone, gas: 100_000 }
    t.match(nextMove(slot, response, evidence), signs(['b'], 150_000, 1500))
  })
}

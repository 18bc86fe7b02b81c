import type { QueuedMessage } from '../../../../services/submission/contract.ts'
import {
  type BatchKnowledge,
  type Excess,
  excessMove,
  gasMove,
  nextBatch,
  type SimulatedBatch,
  type TransactionLimits,
  unconfirmedMove
} from '../../../../services/submission/decide/batch.ts'
import { test } from '../../../helpers/tap.ts'

/** A queued message of 400 bytes, or of 500 with its overhead. */
const queuedOf = (submissionId: string, bytes = 400) => ({
  submissionId,
  typeUrl: '/test.Request',
  message: new Uint8Array(bytes)
})

const many = (count: number, bytes?: number) =>
  Array.from({ length: count }, (_, index) => queuedOf(`id-${index}`, bytes))

/** A block holds 100 messages. */
const known: BatchKnowledge = {
  evidenceOf: () => ({ maxBatch: undefined }),
  open: [],
  maxMessages: 100,
  block: { gas: 10_000_000, bytes: 1_000_000 },
  ceiling: Number.POSITIVE_INFINITY,
  gasPerMessage: 100_000,
  lastSignedAt: 0,
  nextDue: Number.POSITIVE_INFINITY,
  now: 1000
}

const openOf = (count: number, gas = 2_500_000, bytes = 15_000) =>
  Array.from({ length: count }, () => ({ gas, bytes }))

/** Suspects by the number of messages that they may share a transaction with. */
const suspects = (maxBatch: Record<string, number>) => ({
  evidenceOf: (id: string) => ({ maxBatch: maxBatch[id] })
})

const LATER = Number.POSITIVE_INFINITY

type Known = Partial<BatchKnowledge>

const PACKED: [what: string, queued: number | ReturnType<typeof many>, expected: number, change?: Known][] = [
  ['all that are queued', 3, 3],
  ['at most 100 messages', 500, 100, { block: { gas: 1e9, bytes: 1e9 } }],
  ['at most as many as a node simulates in time', 500, 7, { maxMessages: 7 }],
  ['at most 100,000 bytes', many(100, 1900), 50, { block: { gas: 1e9, bytes: 1e9 } }],
  ['a quarter of a block’s gas', 500, 25],
  ['a quarter of a block’s bytes', 500, 20, { block: { gas: 1e9, bytes: 40_000 } }],
  ['at most 25,000,000 gas', 500, 50, { block: { gas: 1e9, bytes: 1e9 }, gasPerMessage: 500_000 }],
  ['at most the gas that the chain accepts', 500, 12, { ceiling: 1_200_000 }],
  ['up to the block gas that open slots leave', 500, 3, { open: [...openOf(3), ...openOf(1, 2_150_000)] }],
  ['up to the block bytes that open slots leave', 500, 9, { open: openOf(1, 100_000, 995_000) }],
  ['a quarter of the next block if nothing is left', 500, 25, { open: openOf(4) }],
  ['a quarter of the next block if only bytes are missing', 500, 25, { open: openOf(1, 100_000, 999_500) }],
  ['up to the gas left in the second block', 500, 5, { open: [...openOf(7), ...openOf(1, 2_000_000)] }],
  ['a lone message, whatever gas it needs', 2, 1, { gasPerMessage: 90_000_000 }],
  ['a lone message of any size', many(2, 200_000), 1],
  ['up to 100 messages before any gas is known', 500, 100, { gasPerMessage: undefined }],
  ['suspects up to their maximum', 6, 2, suspects({ 'id-0': 2, 'id-1': 2, 'id-2': 2 })],
  ['suspects only with suspects of the same maximum', 6, 1, suspects({ 'id-0': 2, 'id-1': 1 })],
  ['suspects apart from other messages', 6, 3, suspects({ 'id-3': 3 })]
]

for (const [what, queued, expected, change] of PACKED) {
  test(`packs ${what}`, async t => {
    const messages = typeof queued === 'number' ? many(queued) : queued
    const move = nextBatch(messages, { ...known, ...change })
    const ids = (batch: readonly { submissionId: string }[]) => batch.map(({ submissionId }) => submissionId)
    t.strictSame(ids(move.do === 'pack' ? move.batch : []), ids(messages.slice(0, expected)))
  })
}

test('requests at most a quarter of a block’s gas, rounded down', async t => {
  t.match(nextBatch(many(1), { ...known, block: { gas: 10_000_003, bytes: 1e6 } }), { gas: 2_500_000 })
})

const FIRST = 'first'
const pair = [queuedOf(FIRST), { ...queuedOf('second'), waitsFor: FIRST }]

const long = [queuedOf(FIRST, 90_000), { ...queuedOf('second', 10_000), waitsFor: FIRST }]
const behind = [...pair, queuedOf('id-0')]

/** `what`, the queue, and the ids in the next transaction. */
const PAIRS: [what: string, queued: QueuedMessage[], batch: string[], change?: Partial<BatchKnowledge>][] = [
  ['only a pair: a message and the one that waits for it', [...pair, ...many(2)], [FIRST, 'second']],
  ['the messages queued before a pair, without the pair', [...many(2), ...pair], ['id-0', 'id-1']],
  ['only the first of a pair that needs too much gas', pair, [FIRST], { ceiling: 150_000 }],
  ['only the first of a pair that is too long', long, [FIRST]],
  ['only the first of a pair that was refused', pair, [FIRST], suspects({ [FIRST]: 1, second: 1 })],
  ['the first of a pair, without its suspected second', behind, [FIRST, 'id-0'], suspects({ second: 1 })]
]

for (const [what, queued, batch, change] of PAIRS) {
  test(`packs ${what}`, async t => {
    const move = nextBatch(queued, { ...known, ...change })
    t.strictSame(move.do === 'pack' && move.batch.map(({ submissionId }) => submissionId), batch)
  })
}

const WAITS: [what: string, queued: number, ms: number, change?: Partial<BatchKnowledge>][] = [
  ['nothing is queued', 0, LATER],
  ['all messages are postponed, until the first is due', 0, 5, { nextDue: 1005 }],
  ['64 slots are open', 2, LATER, { open: openOf(64, 1, 1) }],
  ['the open slots request the gas of two blocks', 2, LATER, { open: openOf(8) }],
  ['the open slots have the bytes of two blocks', 2, LATER, { open: openOf(2, 1, 1_000_000) }],
  ['more messages may come: 2 ms for each open slot', 2, 6, { open: openOf(3), lastSignedAt: 1000 }],
  ['more messages may come: at most 50 ms', 2, 10, { open: openOf(40, 1), lastSignedAt: 960 }]
]

for (const [what, queued, ms, change] of WAITS) {
  test(`waits while ${what}`, async t => {
    t.strictSame(nextBatch(many(queued), { ...known, ...change }), { do: 'wait', ms })
  })
}

test('does not wait for more messages if a transaction is full', async t => {
  for (const queued of [100, 101]) {
    const change = { open: openOf(3), lastSignedAt: 1000, block: { gas: 1e9, bytes: 1e9 } }
    t.match(nextBatch(many(queued), { ...known, ...change }), { do: 'pack' })
  }
})

const limits: TransactionLimits = { budget: 2_500_000, block: 10_000_000, loneCeiling: LATER }

type Change = Partial<SimulatedBatch & TransactionLimits>

/** What is simulated, and what happens; `exceeds M L` means the gas that the chain accepts, and the limit. */
const GAS: [what: string, change: Change, move: string][] = [
  ['gets the gas margin', {}, 'sign 150000'],
  ['gets twice the gas after a failure', { failures: 1 }, 'sign 300000'],
  ['gets at most the gas that the chain accepts', { loneCeiling: 120_000 }, 'sign 120000'],
  ['exceeds the gas cap of a message', { gasUsed: 2_000_001 }, 'exceeds 2000000 2000000 true'],
  ['exceeds the gas of a block', { gasUsed: 90_001, block: 90_000 }, 'exceeds 90000 90000 true'],
  ['failed with all accepted gas', { failures: 1, loneCeiling: 120_000 }, 'exceeds 120000 300000 false'],
  ['gets at most its caps', { messages: 2, gasUsed: 3_000_000, budget: 5_000_000 }, 'sign 4000000'],
  ['is shrunk to the messages that fit', { messages: 10, gasUsed: 2_000_000 }, 'shrink 8'],
  ['is shrunk to one message', { messages: 2, gasUsed: 2_600_000 }, 'shrink 1'],
  ['above its caps is shrunk to its larger half', { messages: 5, gasUsed: 11_000_000 }, 'shrink 3']
]

for (const [what, change, move] of GAS) {
  const { messages = 1 } = change
  test(`a simulated ${messages === 1 ? 'message' : 'batch'} ${what}`, async t => {
    const batch = { messages, gasUsed: 100_000, failures: 0, ...limits, ...change }
    const found = gasMove(batch, batch)
    t.equal(Object.values(found).join(' '), move)
  })
}

/** What is known of a lone message that needs too much gas, and what happens to it. */
const EXCESSES: [change: Partial<Excess>, move: string][] = [
  [{ isConfirmed: true }, 'fail'],
  [{}, 'postpone'],
  [{ backoffs: 5 }, 'sign 2000000'],
  // What was refused is requested once more before less.
  [{ backoffs: 5, most: 225_000, controlGas: 225_000 }, 'sign 2000000'],
  [{ backoffs: 6, most: 225_000, controlGas: 225_000 }, 'sign 225000'],
  [{ controlGas: 2_000_001, backoffs: 9 }, 'raise'],
  [{ controlGas: 2_000_001, isConfirmed: true }, 'raise'],
  [{ controlGas: undefined, isConfirmed: true, backoffs: 9 }, 'postpone']
]

test('too much gas counts against a message if two nodes agree and the control fits', async t => {
  const excess = { most: 2_000_000, limit: 2_000_000, isConfirmed: false, backoffs: 4, controlGas: 2_000_000 }
  for (const [change, move] of EXCESSES)
    t.equal(Object.values(excessMove({ ...excess, ...change })).join(' '), move, JSON.stringify(change))
})

test('a lone message that only one node refuses is sent after five postponements', async t => {
  const move = (backoffs: number, failures: number) => unconfirmedMove({ backoffs, failures }, 99_999.1)
  t.strictSame(move(4, 0), { do: 'postpone' })
  t.strictSame(move(5, 0), { do: 'sign', gasLimit: 150_000 })
  t.strictSame(move(5, 1), { do: 'sign', gasLimit: 300_000 })
})

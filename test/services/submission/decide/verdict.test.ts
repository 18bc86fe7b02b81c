import {
  afterBackoff,
  afterFailure,
  afterSplit,
  type ControlResponses,
  controlMove,
  type Evidence,
  type Failure,
  isSameFailure,
  largerHalf,
  NO_EVIDENCE,
  type Responses,
  type Simulated,
  verdictOf,
  withoutSuspicion
} from '../../../../services/submission/decide/verdict.ts'
import { test } from '../../../helpers/tap.ts'

const simulation = { messages: [], publicKey: new Uint8Array(), sequence: 7 }
const ADDRESS = 'service1wallet'

const passed = (node = 'one') => ({ status: 'passed', node, gasUsed: 100_000, simulation }) as const
const failed = (log: string, node = 'one') =>
  ({ status: 'failed', node, code: 6, codespace: 'sdk', log }) as const
const failedAt = (index: number) =>
  failed(`failed to execute message; message index: ${index}: no: unknown request`)
const LATE: Simulated = { status: 'unavailable', reason: 'no response', timedOut: true }
const DOWN: Simulated = { status: 'unavailable', reason: 'no node', timedOut: false }
const NO = failed('no')
const NOT_WHITELISTED = failed('the creator is not whitelisted: unauthorized')
const SHUT_OUT = { status: 'refused', kind: 'wallet-not-whitelisted', reason: 'not listed' } as const
const PAUSED = { status: 'refused', kind: 'requests-refused', reason: 'paused' } as const
const UNPROVEN = { status: 'refused', kind: 'simulations-refused', reason: 'no funds' } as const

const refusal = { code: 6, codespace: 'sdk', message: 'no' }
const splits = { do: 'split' }
const splitsUnder = (control: object) => ({ ...splits, control })
const pauses = { do: 'pause', control: SHUT_OUT }
const postpones = (reason: string | RegExp, control?: object, index = 0) => ({
  ...{ do: 'postpone', index, reason },
  ...(control && { control })
})
const retries = (reason: string, timedOut = false) => ({ do: 'retry', reason, timedOut })
const asks = (about: string, index = 0) => ({ do: 'ask', about, index })

/** `what`, the number of messages, the responses so far, and the verdict. */
const VERDICTS: [what: string, messages: number, said: Responses, verdict: object][] = [
  ['passes', 3, { batch: passed() }, { do: 'sign', simulated: passed() }],
  ['gets no response', 3, { batch: LATE }, retries('no response', true)],
  // The chain names a message.
  [
    'fails at a message, which is simulated behind the control request',
    3,
    { batch: failedAt(2) },
    asks('pair', 2)
  ],
  [
    'fails at a message that passes behind the control request',
    3,
    { batch: failedAt(2), pair: passed() },
    splits
  ],
  ['fails, and passes behind the control request', 1, { batch: failedAt(0), pair: passed() }, { do: 'sign' }],
  [
    'fails at a message that gets no response then',
    3,
    { batch: failedAt(2), pair: DOWN },
    retries('no node')
  ],
  [
    'fails at a message that fails behind the control request',
    3,
    { batch: failedAt(2), pair: failedAt(1) },
    asks('otherNodes', 2)
  ],
  [
    'fails at a message that fails behind the control request on two nodes',
    3,
    { batch: failedAt(2), pair: failedAt(1), isConfirmed: true },
    { do: 'reject', index: 2, refusal: { message: /message index: 1: no/ } }
  ],
  [
    'fails at a message that only one of two nodes refuses',
    3,
    { batch: failedAt(2), pair: failedAt(1), isConfirmed: false },
    postpones(/^only one refuses it: failed to execute/, undefined, 2)
  ],
  [
    'fails at a message whose control request fails',
    3,
    { batch: failedAt(2), pair: failedAt(0) },
    asks('before', 2)
  ],
  [
    'fails at a message while nothing is proven, so its companions need not wait',
    3,
    { batch: failedAt(0), pair: failedAt(0), before: UNPROVEN },
    splitsUnder(UNPROVEN)
  ],
  ['names a message that it does not have', 3, { batch: failedAt(3) }, asks('before')],
  // The chain names none.
  ['fails as a whole', 3, { batch: NO }, asks('before')],
  ['fails while the control passes', 3, { batch: NO, before: passed() }, splits],
  ['fails while nothing is proven', 3, { batch: NO, before: UNPROVEN }, splitsUnder(UNPROVEN)],
  ['fails while the control fails that passed before', 3, { batch: NO, before: PAUSED }, splitsUnder(PAUSED)],
  ['fails while all requests are refused', 3, { batch: NO, before: SHUT_OUT }, pauses],
  ['fails while no node responds', 3, { batch: NO, before: DOWN }, retries('no node')],
  // A message is alone.
  ['fails alone', 1, { batch: NO }, asks('before')],
  ['fails alone while all requests are refused', 1, { batch: NO, before: SHUT_OUT }, pauses],
  [
    'fails alone while the control fails that passed before',
    1,
    { batch: NO, before: PAUSED },
    postpones('paused', PAUSED)
  ],
  [
    'fails alone while nothing is proven',
    1,
    { batch: NO, before: UNPROVEN },
    postpones('no funds', UNPROVEN)
  ],
  [
    'fails alone while no node responds in time',
    1,
    { batch: NO, before: LATE },
    retries('no response', true)
  ],
  ['is simulated again after the control', 1, { batch: NO, before: passed() }, asks('alone')],
  ['passes the second time', 1, { batch: NO, before: passed(), alone: passed() }, { do: 'sign' }],
  ['gets no response the second time', 1, { batch: NO, before: passed(), alone: DOWN }, retries('no node')],
  ['fails twice', 1, { batch: NO, before: passed(), alone: NO }, asks('after')],
  [
    'fails between two controls that pass',
    1,
    { batch: NO, before: passed(), alone: NO, after: passed() },
    asks('otherNodes')
  ],
  [
    'fails between two controls that pass, and on a second node',
    1,
    { batch: NO, before: passed(), alone: NO, after: passed(), isConfirmed: true },
    { do: 'reject', index: 0, refusal }
  ],
  [
    'fails between two controls that pass, but not on a second node',
    1,
    { batch: NO, before: passed(), alone: NO, after: passed(), isConfirmed: false },
    postpones('only one refuses it: no')
  ],
  [
    'fails before the control is refused',
    1,
    { batch: NO, before: passed(), alone: NO, after: PAUSED },
    postpones('paused', PAUSED)
  ],
  [
    'fails before the control gets no response',
    1,
    { batch: NO, before: passed(), alone: NO, after: DOWN },
    retries('no node')
  ],
  ...(['before', 'alone', 'after'] as const).map((by): (typeof VERDICTS)[number] => [
    `fails, with the response ${by} from another node`,
    1,
    {
      batch: NO,
      before: passed(),
      alone: NO,
      after: passed(),
      [by]: by === 'alone' ? failed('no', 'two') : passed('two')
    },
    retries('the responses came from several nodes')
  ]),
  [
    'fails at a message that passes alone',
    3,
    { batch: failedAt(2), pair: failedAt(0), before: passed(), alone: passed() },
    splits
  ],
  [
    'fails at a message that fails alone',
    3,
    {
      batch: failedAt(2),
      pair: failedAt(0),
      before: passed(),
      alone: NO,
      after: passed(),
      isConfirmed: true
    },
    { do: 'reject', index: 2, refusal }
  ]
]

for (const [what, messages, said, verdict] of VERDICTS) {
  test(`${messages === 1 ? 'a message' : 'a batch'} ${what}`, async t => {
    t.match(verdictOf(messages, said), verdict)
  })
}

test('a pair is split if the second message fails, which alone would lack the first', async t => {
  t.match(verdictOf(2, { batch: failedAt(1) }, true), splits)
  t.match(verdictOf(2, { batch: failedAt(0) }, true), asks('pair', 0))
  t.match(verdictOf(2, { batch: NO, before: passed() }, true), splits)
})

const judged = (result: object, isProven = false) => ({ do: 'judge', result, isProven })
const asksFor = (about: keyof ControlResponses) => ({ do: 'ask', about })
const refusedAs = (kind: string, reason = 'no') => ({ status: 'refused', kind, reason })

const CONTROLS: [what: string, controlPassed: boolean, said: ControlResponses, move: object][] = [
  ['is the control request', true, { request: [] }, asksFor('request')],
  ['passes', true, { request: [passed()] }, judged(passed())],
  ['fails although it passed before', true, { request: [NO] }, judged(refusedAs('requests-refused'))],
  [
    'is not whitelisted',
    true,
    { request: [NOT_WHITELISTED] },
    judged(refusedAs('wallet-not-whitelisted', NOT_WHITELISTED.log))
  ],
  ['gets no response', true, { request: [DOWN] }, judged(DOWN)],
  ['passes for the first time', false, { request: [passed()] }, asksFor('request')],
  ['passes for the second time', false, { request: [passed(), passed()] }, judged(passed(), true)],
  ['passes and then gets no response', false, { request: [passed(), DOWN] }, judged(DOWN)],
  ['passes and then fails', false, { request: [passed(), NO] }, asksFor('transfer')],
  ['never passed', false, { request: [NO] }, asksFor('transfer')],
  ['never passed, but a transfer passes', false, { request: [NO], transfer: passed() }, judged(passed())],
  [
    'never passed, and a transfer fails, too',
    false,
    { request: [NO], transfer: failed('no funds') },
    judged(UNPROVEN)
  ],
  [
    'never passed, and a transfer is not whitelisted',
    false,
    { request: [NO], transfer: NOT_WHITELISTED },
    judged(refusedAs('wallet-not-whitelisted', NOT_WHITELISTED.log))
  ],
  [
    'was never whitelisted',
    false,
    { request: [NOT_WHITELISTED] },
    judged(refusedAs('wallet-not-whitelisted', NOT_WHITELISTED.log))
  ]
]

for (const [what, controlPassed, said, move] of CONTROLS) {
  test(`the control ${what}`, async t => {
    t.strictSame(controlMove(said, { address: ADDRESS, controlPassed }), move)
  })
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

function failure(messages: number, by: Failure['by'], suspects = ids(messages)): Failure {
  return { suspects, messages, refusal, by }
}

for (const [messages, suspects, maxBatch] of [
  [9, 9, 5],
  [4, 4, 2],
  [3, 3, 2],
  [2, 2, 1],
  [9, 1, 1]
] as const) {
  test(`tries ${suspects} suspects of ${messages} again with ${maxBatch} in a transaction`, async t => {
    const after = afterFailure(NO_EVIDENCE, failure(messages, 'block', ids(suspects)), 0)
    t.strictSame(after, { ...NO_EVIDENCE, maxBatch, failures: 1 }, 'none of them failed alone')
    if (suspects === messages) {
      t.strictSame(afterSplit(NO_EVIDENCE, messages), { ...NO_EVIDENCE, maxBatch })
      t.equal(largerHalf(messages), maxBatch, 'the first half is the larger one')
    }
  })
}

for (const [title, failures, isRejected] of [
  ['three alone in blocks', ['block', 'block', 'block'], true],
  ['three of the same kind among others', ['block', 'nodes', 'block', 'nodes', 'node', 'block'], true],
  ['three for its gas or size', ['nodes', 'nodes', 'nodes'], true],
  ['two of each kind', ['block', 'nodes', 'block', 'nodes'], false],
  ['any number at a node', Array(20).fill('node'), false],
  ['thirteen for its gas at the only node', Array(13).fill('onlyNode'), true],
  ['any number with other messages', Array(10).fill('together'), false]
] as const) {
  test(`a message may ${isRejected ? '' : 'not '}be rejected after failures: ${title}`, async t => {
    const after = (evidence: Evidence, by: Failure['by'] | 'together') =>
      afterFailure(evidence, by === 'together' ? failure(2, 'block') : failure(1, by), 0)
    t.equal(failures.slice(0, -1).reduce(after, NO_EVIDENCE).refusal, undefined)
    const { refusal: reason, failures: inBlocks } = failures.reduce(after, NO_EVIDENCE)
    t.strictSame(reason, isRejected ? refusal : undefined)
    t.equal(inBlocks, failures.filter(by => by === 'block' || by === 'together').length)
  })
}

for (const [title, one, other, isSame] of [
  ['at the same message', failedAt(0), failedAt(0), true],
  ['without a message', NO, failed('another reason'), true],
  ['at different messages', failedAt(0), failedAt(1), false],
  ['one for its sequence', NO, failed('account sequence mismatch, expected 9, got 7: x'), false],
  ['and one passes', NO, passed(), false]
] as const) {
  test(`two nodes ${isSame ? 'agree' : 'do not agree'} on a failure: ${title}`, async t => {
    t.equal(isSameFailure(one, other, 2), isSame)
    t.equal(isSameFailure(other, one, 2), isSame)
  })
}

test('knows that a message ran out of gas, in a block or at a node', async t => {
  const outOfGas = { ...refusal, code: 11 }
  for (const by of ['block', 'node'] as const) {
    const after = afterFailure(NO_EVIDENCE, { ...failure(2, by), refusal: outOfGas }, 0)
    t.ok(afterFailure(after, failure(1, by), 0).ranOutOfGas)
    t.notOk(withoutSuspicion(after).ranOutOfGas)
  }
})

test('counts earlier backoffs only for the gas limit, because they choose the next one', async t => {
  for (const [code, backoffs] of [
    [41, 4],
    [6, 1]
  ] as const) {
    const evidence = { ...NO_EVIDENCE, backoffs: 3 }
    const after = afterFailure(evidence, { ...failure(1, 'nodes'), refusal: { ...refusal, code } }, 0)
    t.match(after, { backoffs, alone: { nodes: 1 } })
  }
})

test('postpones a message for 250 ms after it fails alone, twice as long each time, up to ten minutes', async t => {
  let evidence = NO_EVIDENCE
  for (const until of [250, 500, 1000]) {
    evidence = afterFailure(evidence, failure(1, 'node'), 0)
    t.equal(evidence.until, until)
  }
  for (let times = 0; times < 20; times++) evidence = afterBackoff(evidence, 5)
  t.equal(evidence.until, 600_005)
  t.strictSame(
    withoutSuspicion(evidence),
    { ...NO_EVIDENCE, backoffs: 23, until: 600_005 },
    'a backoff continues'
  )
})

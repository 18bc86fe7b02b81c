import {
  afterBackoff,
  afterFailure,
  afterSplit,
  controlMove,
  type Evidence,
  type Failure,
  isSameFailure,
  largerHalf,
  NO_EVIDENCE,
  type Responses,
  type Simulated,
  type Verdict,
  verdictOf,
  withoutSuspicion
} from '../../../../services/submission/decide/verdict.ts'
import { test } from '../../../helpers/tap.ts'

const simulation = { messages: [], publicKey: new Uint8Array(), sequence: 7 }
const passed = (node = 'one') => ({ status: 'passed', node, gasUsed: 100_000, simulation }) as const
const failed = (log: string, node = 'one') =>
  ({ status: 'failed', node, code: 6, codespace: 'sdk', log }) as const
const failedAt = (index: number) =>
  failed(`failed to execute message; message index: ${index}: no: unknown request`)
const unavailable = (reason: string, timedOut: boolean) =>
  ({ status: 'unavailable', reason, timedOut }) as const
const refused = (kind: 'wallet-not-whitelisted' | 'requests-refused' | 'simulations-refused') =>
  ({ status: 'refused', kind, reason: kind }) as const

/** Responses by name. A digit is a failure at this message. */
const SIMULATED: Record<string, Simulated> = {
  ok: passed(),
  no: failed('no'),
  banned: failed('the creator is not whitelisted: unauthorized'),
  late: unavailable('no response', true),
  down: unavailable('no node', false),
  'no-of-two': failed('no', 'two')
}
const CONTROLS: Record<string, Responses['before']> = {
  ok: passed(),
  late: unavailable('no response', true),
  down: unavailable('no node', false),
  'ok-of-two': passed('two'),
  'transfer-only': { ...passed(), requestRefusal: 'no' },
  banned: refused('wallet-not-whitelisted'),
  paused: refused('requests-refused'),
  unproven: refused('simulations-refused')
}
const simulatedOf = (name: string) => SIMULATED[name] ?? failedAt(Number(name))

/** Reads responses such as `batch:2 before:ok`. */
function saidOf(text: string): Responses {
  const entries = text.split(' ').map(word => {
    const [about = '', name = ''] = word.split(':')
    if (about === 'isConfirmed') return [about, name === 'yes']
    return [about, /before|after/.test(about) ? CONTROLS[name] : simulatedOf(name)]
  })
  return Object.fromEntries(entries)
}

function textOf(move: Verdict): string {
  switch (move.do) {
    case 'ask':
      return `ask ${move.about} ${move.index}`
    case 'sign':
      return 'sign'
    case 'split':
      return move.control ? `split, ${move.control.kind}` : 'split'
    case 'pause':
      return `pause, ${move.control.kind}`
    case 'reject':
      return `reject ${move.index}: ${move.refusal.message}`
    case 'postpone':
      return `postpone ${move.index}: ${move.reason}${move.control ? ', not proven' : ''}`
    case 'retry':
      return `retry${move.timedOut ? ' later' : ''}: ${move.reason}`
  }
}

/** The number of messages, the responses so far, and the verdict. */
const VERDICTS: [messages: number, said: string, verdict: string][] = [
  [3, 'batch:ok', 'sign'],
  [3, 'batch:late', 'retry later: no response'],
  // The chain names a message, which is simulated behind the control request.
  [3, 'batch:2', 'ask pair 2'],
  [3, 'batch:2 pair:ok', 'split'],
  [1, 'batch:0 pair:ok', 'sign'],
  [3, 'batch:2 pair:1', 'ask otherNodes 2'],
  [3, 'batch:2 pair:1 isConfirmed:yes', `reject 2: ${failedAt(1).log}`],
  [3, 'batch:2 pair:1 isConfirmed:no', `postpone 2: only one refuses it: ${failedAt(1).log}`],
  [3, 'batch:2 pair:0', 'ask before 2'],
  [3, 'batch:0 pair:0 before:unproven', 'split, simulations-refused'],
  [3, 'batch:2 pair:0 before:ok alone:ok', 'split'],
  [3, 'batch:2 pair:0 before:ok alone:no after:ok', 'split, simulations-refused'],
  [3, 'batch:2 pair:no before:ok alone:no after:ok isConfirmed:yes', 'reject 2: no'],
  // The chain names none, or one that the batch does not have.
  [3, 'batch:3', 'ask before 0'],
  [3, 'batch:no', 'ask before 0'],
  [3, 'batch:no before:ok', 'split'],
  [3, 'batch:no before:unproven', 'split, simulations-refused'],
  [3, 'batch:no before:banned', 'pause, wallet-not-whitelisted'],
  // A message is alone, between two control messages.
  [1, 'batch:no before:paused', 'postpone 0: requests-refused, not proven'],
  [1, 'batch:no before:late', 'retry later: no response'],
  [1, 'batch:no before:ok', 'ask alone 0'],
  [1, 'batch:no before:ok alone:ok', 'sign'],
  [1, 'batch:no before:ok alone:no', 'ask after 0'],
  [1, 'batch:no before:ok alone:no after:ok', 'ask otherNodes 0'],
  [1, 'batch:no before:ok alone:no after:ok isConfirmed:yes', 'reject 0: no'],
  [1, 'batch:no before:ok alone:no after:ok isConfirmed:no', 'postpone 0: only one refuses it: no'],
  [1, 'batch:no before:ok alone:no after:transfer-only', 'postpone 0: no, not proven'],
  [3, 'batch:2 pair:0 before:ok alone:no after:transfer-only', 'split, simulations-refused'],
  [1, 'batch:no before:transfer-only alone:no after:ok', 'postpone 0: no, not proven'],
  [1, 'batch:0 pair:0 before:ok alone:0 after:ok', `postpone 0: ${failedAt(0).log}, not proven`],
  [1, 'batch:no before:transfer-only alone:0 after:ok', 'postpone 0: no, not proven'],
  [1, 'batch:no before:ok alone:0 after:transfer-only', 'postpone 0: no, not proven'],
  [1, 'batch:no before:transfer-only alone:0 after:transfer-only', 'ask otherNodes 0'],
  [1, 'batch:no before:ok alone:no after:paused', 'postpone 0: requests-refused, not proven'],
  [1, 'batch:no before:ok alone:no after:down', 'retry: no node'],
  [1, 'batch:no before:ok-of-two alone:no after:ok', 'retry: the responses came from several nodes'],
  [1, 'batch:no before:ok alone:no-of-two after:ok', 'retry: the responses came from several nodes'],
  [1, 'batch:no before:ok alone:no after:ok-of-two', 'retry: the responses came from several nodes']
]

test('judges a batch by its simulation, the control and other nodes', async t => {
  for (const [messages, said, verdict] of VERDICTS)
    t.equal(textOf(verdictOf(messages, saidOf(said))), verdict, `${messages} messages: ${said}`)
})

test('splits a pair if its second message fails, because it may need the first', async t => {
  const verdicts = ['batch:1', 'batch:0', 'batch:no before:ok'].map(said => verdictOf(2, saidOf(said), true))
  t.strictSame(verdicts.map(textOf), ['split', 'ask pair 0', 'split'])
})

/** Whether the control request has passed before, the responses so far, and the move. */
const CONTROL: [controlPassed: boolean, request: string, transfer: string, move: string][] = [
  [true, '', '', 'ask request'],
  [true, 'ok', '', 'passed'],
  [true, 'no', '', 'refused requests-refused'],
  [true, 'down', '', 'unavailable'],
  [false, 'ok', '', 'ask request'],
  [false, 'ok ok', '', 'passed, proven'],
  [false, 'ok down', '', 'unavailable'],
  [false, 'no', '', 'ask transfer'],
  [false, 'no', 'ok', 'passed, request refused'],
  [false, 'no', 'no', 'refused simulations-refused'],
  [false, 'no', 'banned', 'refused wallet-not-whitelisted'],
  [false, 'banned', '', 'refused wallet-not-whitelisted']
]

test('judges the control request, and the transfer before it has ever passed', async t => {
  for (const [controlPassed, request, transfer, expected] of CONTROL) {
    const responses = request === '' ? [] : request.split(' ').map(simulatedOf)
    const said = { request: responses, ...(transfer && { transfer: simulatedOf(transfer) }) }
    const move = controlMove(said, { address: 'service1wallet', controlPassed })
    const result = move.do === 'judge' ? move.result : undefined
    const kind = result?.status === 'refused' ? ` ${result.kind}` : ''
    const proof = move.do === 'judge' && move.isProven ? ', proven' : ''
    const isRefused = result?.status === 'passed' && result.requestRefusal ? ', request refused' : ''
    const found = move.do === 'ask' ? `ask ${move.about}` : `${result?.status}${kind}${proof}${isRefused}`
    t.equal(found, expected, `passed before: ${controlPassed}, request: ${request}, transfer: ${transfer}`)
  }
})

const refusal = { code: 6, codespace: 'sdk', message: 'no' }
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)

const failure = (messages: number, by: Failure['by'], suspects = ids(messages)): Failure => ({
  suspects,
  messages,
  refusal,
  by
})

test('tries the larger half of the suspects again, and a lone suspect alone', async t => {
  const after = (suspects: number) => afterFailure(NO_EVIDENCE, failure(9, 'block', ids(suspects)), 0)
  t.strictSame(after(9), { ...NO_EVIDENCE, maxBatch: 5, failures: 1 }, 'none of them failed alone')
  t.strictSame(after(1), { ...NO_EVIDENCE, maxBatch: 1, failures: 1 }, 'it failed with others')
  t.strictSame(afterSplit(NO_EVIDENCE, 9), { ...NO_EVIDENCE, maxBatch: 5 })
  t.strictSame([9, 4, 2].map(largerHalf), [5, 2, 1])
})

for (const [title, failures, isRejected] of [
  ['three alone in blocks', ['block', 'block', 'block'], true],
  ['three of the same kind among others', ['block', 'nodes', 'block', 'nodes', 'node', 'block'], true],
  ['three for its gas or size', ['nodes', 'nodes', 'nodes'], true],
  ['two of each kind', ['block', 'nodes', 'block', 'nodes'], false],
  ['any number at a node', Array(20).fill('node'), false],
  ['thirteen at the only node', Array(13).fill('onlyNode'), true],
  ['twelve that another node contradicted', [...Array(12).fill('node'), 'onlyNode'], false],
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

test('two nodes agree on a failure if both report the same message, or none', async t => {
  const mismatch = failed('account sequence mismatch, expected 9, got 7: x')
  for (const [one, other, isSame] of [
    [failedAt(0), failedAt(0), true],
    [failed('no'), failed('another reason'), true],
    [failedAt(0), failedAt(1), false],
    [failed('no'), mismatch, false],
    [failed('no'), passed(), false]
  ] as const) {
    t.equal(isSameFailure(one, other, 2), isSame)
    t.equal(isSameFailure(other, one, 2), isSame)
  }
})

test('records that a message ran out of gas, in a block or at a node', async t => {
  for (const by of ['block', 'node'] as const) {
    const after = afterFailure(NO_EVIDENCE, { ...failure(2, by), refusal: { ...refusal, code: 11 } }, 0)
    t.ok(afterFailure(after, failure(1, by), 0).ranOutOfGas)
    t.notOk(withoutSuspicion(after).ranOutOfGas)
  }
})

test('keeps the backoff count only for gas-limit refusals', async t => {
  const backoffs = [41, 6].map(code => {
    const failed = { ...failure(1, 'nodes'), refusal: { ...refusal, code } }
    return afterFailure({ ...NO_EVIDENCE, backoffs: 3 }, failed, 0).backoffs
  })
  t.strictSame(backoffs, [4, 1])
})

test('postpones a message that failed alone for 250 ms, doubling up to ten minutes', async t => {
  let evidence = NO_EVIDENCE
  for (const until of [250, 500, 1000]) {
    evidence = afterFailure(evidence, failure(1, 'node'), 0)
    t.equal(evidence.until, until)
  }
  for (let times = 0; times < 20; times++) evidence = afterBackoff(evidence, 5)
  t.equal(evidence.until, 600_005)
  t.strictSame(withoutSuspicion(evidence), { ...NO_EVIDENCE, backoffs: 23, until: 600_005 })
})

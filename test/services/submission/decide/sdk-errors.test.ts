import {
  expectedSequence,
  failedMessageIndex,
  gasCeiling,
  isWalletRefused,
  type RefusalKind,
  refusalKindOf,
  refusalOf
} from '../../../../services/submission/decide/sdk-errors.ts'
import { test } from '../../../helpers/tap.ts'

test('reads the failed message’s index from the start of a block or simulation log', async t => {
  const failed = 'failed to execute message; message index: 2: nope: unauthorized'
  t.equal(failedMessageIndex(failed, 3), 2)
  t.equal(failedMessageIndex(`rpc error: code = Unknown desc = ${failed} With gas wanted: '1'`, 3), 2)
  t.equal(failedMessageIndex(failed.replace('2', '12'), 13), 12)
  t.equal(failedMessageIndex(failed, 2), undefined, 'the index is out of range')
  t.equal(failedMessageIndex(failed.replace('2', '9'.repeat(30)), 3), undefined)
  for (const log of ['message index: 0', `invalid "${failed}"`, 'out of gas in location: x', '']) {
    t.equal(failedMessageIndex(log, 3), undefined, log)
  }
})

test('reads the expected sequence from the log', async t => {
  t.equal(expectedSequence('account sequence mismatch, expected 5, got 4: incorrect account sequence'), 5)
  const simulated = 'rpc error: code = Unknown desc = account sequence mismatch, expected 5, got 4: incorrect'
  t.equal(expectedSequence(simulated), 5)
  const quoted = 'failed to execute message; message index: 0: "account sequence mismatch, expected 5, got 4"'
  t.equal(expectedSequence(quoted), undefined, 'user input is not an SDK error')
  t.equal(expectedSequence('account sequence mismatch, expected , got 4'), undefined)
  t.equal(expectedSequence(`account sequence mismatch, expected ${'9'.repeat(20)}, got 4`), undefined)
})

const WALLET = 'service1wallet'

const KINDS: [kind: RefusalKind, code: number, log: string, codespace?: string][] = [
  ['mempool-full', 20, 'mempool is full'],
  ['mempool-full', 1, 'pool reached max tx capacity', ''],
  ['mempool-full', 1, 'txpool is full', 'undefined'],
  ['content', 1, 'the name "mempool is full" is taken', ''],
  ['content', 1, 'internal error', 'undefined'],
  ['cached', 19, 'tx already in mempool'],
  ['sequence', 32, 'account sequence mismatch, expected 8, got 7: incorrect account sequence'],
  ['funds', 5, 'spendable balance 0unit is smaller than 1unit: insufficient funds'],
  ['funds', 5, 'spendable balance  is smaller than 1unit: insufficient funds: insufficient funds'],
  ['funds', 5, '3ibc/A1,2unit is smaller than 1unit: insufficient funds: insufficient funds'],
  ['content', 5, 'the pool of "1unit is smaller than 2unit" is empty: insufficient funds'],
  ['content', 5, '1unit is smaller than 2unit: insufficient funds: no such pool'],
  ['funds', 9, `account ${WALLET} does not exist: unknown address`],
  ['funds', 9, `fee payer address: ${WALLET} does not exist: unknown address`],
  ['content', 9, 'account service1user does not exist: unknown address'],
  ['content', 9, `recipient of ${WALLET}: account ${WALLET} does not exist: unknown address`],
  ['content', 5, 'no', 'bank'],
  ['signature', 4, 'signature verification failed; please verify account number (3): unauthorized'],
  ['signature', 4, 'invalid number of signer;  expected: 1, got 2: unauthorized'],
  ['content', 4, 'the lane is closed: unauthorized'],
  ['content', 4, 'the user’s text "signature verification failed; please verify it" is spam: unauthorized'],
  ['fee', 13, 'too low'],
  ['fee', 2, 'gas prices too low, got: 1unit required: 2unit', 'feemarket'],
  ['fee', 2, 'provided fee < minimum global fee (1unit < 2unit). Please increase it', 'feemarket'],
  ['content', 2, 'the memo "provided fee < minimum" is reserved', 'memo'],
  ['too-much-gas', 41, 'tx gas limit 400000 exceeds block max gas 250000: invalid gas limit'],
  ['too-much-gas', 11, 'Too much gas wanted: 400000, maximum is 250,000: out of gas'],
  ['too-much-gas', 21, 'transaction gas exceeds maximum allowed; got: 5 max allowed: 4: tx too large'],
  ['too-much-gas', 11, 'Too much gas wanted: out of gas'],
  ['out-of-gas', 11, 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas'],
  ['out-of-gas', 11, 'out of gas'],
  ['out-of-gas', 11, 'the memo "too much gas wanted: 2, maximum is 1" costs gas: out of gas'],
  ['size', 21, 'tx size is too big: 15000, max: 10000'],
  ['content', 18, 'invalid request']
]

for (const [kind, code, log, codespace = 'sdk'] of KINDS) {
  test(`classifies ${codespace} ${code} "${log}" as ${kind}`, async t => {
    t.equal(refusalKindOf({ code, codespace, log }, WALLET), kind)
  })
}

for (const [log, ceiling] of [
  ['Too much gas wanted: 400000, maximum is 250,000: out of gas', 250_000],
  ['tx gas limit 400000 exceeds block max gas 300000: invalid gas limit', 300_000],
  ['transaction gas exceeds maximum allowed; got: 5 max allowed: 4: tx too large', 4],
  ['Too much gas wanted: out of gas', undefined],
  ['maximum is 0', undefined]
] as const) {
  test(`reads ${ceiling === undefined ? 'no gas limit' : `the gas limit ${ceiling}`} from "${log}"`, async t => {
    t.equal(gasCeiling(log), ceiling)
  })
}

test('keeps both ends of a long message in a stored refusal', async t => {
  const text = 'failed to execute message; message index: 2: nope: unauthorized'
  const refusal = { code: 4, codespace: 'sdk', message: text }
  t.strictSame(refusalOf({ code: 4, codespace: 'sdk', log: text }), refusal)
  const log = text.replace('nope', 'x'.repeat(500_000))
  t.match(refusalOf({ code: 4, codespace: 'sdk', log }), {
    message: /^failed to execute message; message index: 2: x+ … 49\d+ characters … x+: unauthorized$/
  })
})

test('a refusal concerns the wallet only if the log refers to it, ending in the error', async t => {
  // The SDK versions 0.50 and 0.53 word the end of a simulation's log differently.
  for (const [log, isRefused] of [
    [`creator ${WALLET} may not submit: unauthorized`, true],
    ['the creator is not whitelisted: unauthorized', true],
    ["not whitelisted: unauthorized [x.go:7] With gas wanted: '1' and gas used: '2' : unknown request", true],
    ["not whitelisted: unauthorized [x.go:7] with gas used: '2': unknown request", true],
    ['the user does not own this: unauthorized', false],
    [`no token "${WALLET} is not whitelisted: unauthorized": invalid request`, false]
  ] as const)
    t.equal(isWalletRefused(log, WALLET), isRefused, log)
})

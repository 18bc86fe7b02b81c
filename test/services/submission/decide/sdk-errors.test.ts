import {
  expectedSequence,
  failedMessageIndex,
  isWalletRefused,
  refusalOf
} from '../../../../services/submission/decide/sdk-errors.ts'
import { test } from '../../../helpers/tap.ts'

test('reads the index of the failed message from the start of a block or simulation log', async t => {
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

test('keeps both ends of a long message in a stored refusal', async t => {
  const text = 'failed to execute message; message index: 2: nope: unauthorized'
  t.strictSame(refusalOf({ code: 4, codespace: 'sdk', log: text }), {
    code: 4,
    codespace: 'sdk',
    message: text
  })
  const log = text.replace('nope', 'x'.repeat(500_000))
  t.match(refusalOf({ code: 4, codespace: 'sdk', log }), {
    message: /^failed to execute message; message index: 2: x+ … 49\d+ characters … x+: unauthorized$/
  })
})

test('treats a refusal as the wallet’s only if the log ends with the SDK’s error and mentions the wallet', async t => {
  const wallet = 'service1wallet'
  t.ok(isWalletRefused(`creator ${wallet} may not submit: unauthorized`, wallet))
  t.ok(isWalletRefused('the creator is not whitelisted: unauthorized', wallet))
  t.ok(
    isWalletRefused(
      "not whitelisted: unauthorized [x.go:7] With gas wanted: '1' and gas used: '2' : unknown request",
      wallet
    )
  )
  t.ok(
    isWalletRefused("not whitelisted: unauthorized [x.go:7] with gas used: '2': unknown request", wallet),
    'the wording of an SDK 0.53 simulation'
  )
  t.notOk(isWalletRefused('the user does not own this: unauthorized', wallet))
  t.notOk(isWalletRefused(`no token "${wallet} is not whitelisted: unauthorized": invalid request`, wallet))
})

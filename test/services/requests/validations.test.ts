import type { CheckedSubmission, Verdict } from '../../../services/custom-validation/types.ts'
import { createMessageTypes, createRegistry } from '../../../services/messages/index.ts'
import { createSubmissionCheck } from '../../../services/requests/check-submission.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody } from '../../helpers/transfer-flow.ts'
import { wallet } from '../../helpers/wallet.ts'

/** Maximum number of concurrent validations (interface 12.10). */
const MOST = 1024

const { requestTransaction } = createMessageTypes('service')

/** Checks a card payment with an integrator's validation. No other check can fail. */
function checkWith(validation: (submission: CheckedSubmission) => Verdict | Promise<Verdict>) {
  const check = createSubmissionCheck({
    environment: 'testnet',
    wallet,
    registry: createRegistry('service'),
    filter: { allows: () => true },
    chains: {
      status: async () => 'available',
      token: async () => ({ address: '', decimals: 2, peggedTo: 'USD' }),
      transferLimit: async () => undefined,
      ownAddresses: async () => []
    },
    checkQuote: async () => undefined,
    checkQuoteAgain: async () => undefined,
    checkApproval: async () => ({ status: 'unchecked' }),
    compliance: { assertCompliant: async () => {} },
    submissions: { isAccepted: async () => false }
  })
  const kind = { readAmounts: transferAmounts, messageType: requestTransaction }
  return (change: object = {}) => check(cardBody(change), kind, validation, async encoded => encoded)
}

test('passes addresses to a validation in canonical spelling', async t => {
  const targetAddress = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  const seen: CheckedSubmission[] = []
  const check = checkWith(submission => {
    seen.push(submission)
    return ''
  })
  for (const address of [targetAddress.toLowerCase(), `0x${targetAddress.slice(2).toUpperCase()}`])
    await check({ targetAddress: address })
  t.match(seen, [{ target: { address: targetAddress } }, { target: { address: targetAddress } }])
})

test('rejects a submission with 503 immediately while 1,024 validations are pending', async t => {
  const answers: ((answer: string) => void)[] = []
  const check = checkWith(() => new Promise<string>(answer => answers.push(answer)))
  const passed = Array.from({ length: MOST }, () => check())
  await t.rejects(check(), { statusCode: 503, code: 'UPSTREAM_BUSY', headers: { 'retry-after': '1' } })
  t.equal(answers.length, MOST)
  for (const answer of answers) answer('')
  await Promise.all(passed)
  const next = check()
  await t.rejects(Promise.all([next, new Promise(() => setImmediate(() => answers.at(-1)?.('not to us')))]), {
    code: 'CUSTOM_VALIDATION'
  })
})

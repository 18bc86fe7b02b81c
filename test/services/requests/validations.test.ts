import { createMessageTypes, createRegistry } from '../../../services/messages/index.ts'
import { createSubmissionCheck } from '../../../services/requests/check-submission.ts'
import { transferAmounts } from '../../../services/requests/transfer.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody } from '../../helpers/transfer-flow.ts'
import { wallet } from '../../helpers/wallet.ts'

/** Maximum number of concurrent validations (interface 12.10). */
const MOST = 1024

test('beyond 1,024 pending validations, a submission gets 503 immediately', async t => {
  const { requestTransaction } = createMessageTypes('service')
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
  const answers: ((answer: string) => void)[] = []
  const submission = () =>
    check(
      cardBody(),
      kind,
      () => new Promise<string>(answer => answers.push(answer)),
      async encoded => encoded
    )
  const passed = Array.from({ length: MOST }, submission)
  await t.rejects(submission(), { statusCode: 503, code: 'UPSTREAM_BUSY', headers: { 'retry-after': '1' } })
  t.equal(answers.length, MOST)
  for (const answer of answers) answer('')
  await Promise.all(passed)
  const next = submission()
  await t.rejects(Promise.all([next, new Promise(() => setImmediate(() => answers.at(-1)?.('not to us')))]), {
    code: 'CUSTOM_VALIDATION'
  })
})

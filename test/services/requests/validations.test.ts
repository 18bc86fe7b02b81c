import type { CheckedSubmission, Verdict } from '../../../services/custom-validation/types.ts'
import { createApprovalCheck } from '../../../services/requests/approval-check.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody, swapBody } from '../../helpers/transfer-flow.ts'
import { acceptance, CONTEXT, swap, transfer } from './acceptance.ts'

/** Maximum number of concurrent validations (interface 12.10). */
const MOST = 1024

/** Submits card payments that only the integrator's validation can reject. */
function checkWith(validate: (submission: CheckedSubmission) => Verdict | Promise<Verdict>) {
  const accept = acceptance(() => 2)
  return (change: object = {}) => accept(cardBody(change), transfer, { ...CONTEXT, validate })
}

test('passes the result of an observed approval check to a validation, and logs a check that failed', async t => {
  const { log, entries } = keepingLog()
  for (const [status, problem] of [
    ['approved', async () => undefined],
    ['refused', async () => 'is not a signature'],
    ['unchecked', () => Promise.reject(new Error('no response'))]
  ] as const) {
    const checkApproval = createApprovalCheck({ mode: 'observe', signatures: { problem }, log })
    const validate = ({ approval }: CheckedSubmission) => (approval.status === status ? '' : approval.status)
    await acceptance(() => 6, { checkApproval })(swapBody(), swap, { ...CONTEXT, validate })
  }
  t.match(entries[1], {
    level: 'warn',
    fields: { err: { message: 'no response' }, feeId: /./, chain: 'ETH' }
  })
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

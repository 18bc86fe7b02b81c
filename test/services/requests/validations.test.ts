import type { CheckedSubmission, Verdict } from '../../../services/custom-validation/types.ts'
import { test } from '../../helpers/tap.ts'
import { cardBody } from '../../helpers/transfer-flow.ts'
import { acceptance, CONTEXT, transfer } from './acceptance.ts'

/** Maximum number of concurrent validations (interface 12.10). */
const MOST = 1024

/** Submits card payments that only the integrator's validation can reject. */
function checkWith(validate: (submission: CheckedSubmission) => Verdict | Promise<Verdict>) {
  const accept = acceptance(() => 2)
  return (change: object = {}) => accept(cardBody(change), transfer, { ...CONTEXT, validate })
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

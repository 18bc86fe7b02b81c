import { systemClock } from '../../../services/clock.ts'
import { assertValid } from '../../../services/custom-validation/index.ts'
import { test } from '../../helpers/tap.ts'

const shown = { from: 'Not\nto\u009b2J\u202eus', to: 'Not to 2J us' }
const REFUSALS: [answer: unknown, message: string, customCode?: string][] = [
  ['\n', ' '],
  [{ code: 'N'.repeat(64), message: shown.from }, shown.to, 'N'.repeat(64)],
  ['x'.repeat(1_000_000), `${'x'.repeat(2000)}…`],
  [`${'x'.repeat(1999)}😀`, `${'x'.repeat(1999)} …`]
]

test('rejects with the validation’s message, shortened and without control characters', async t => {
  for (const [answer, message, customCode] of REFUSALS) {
    const expected = { code: 'CUSTOM_VALIDATION', statusCode: 400, message, fields: { customCode } }
    // JavaScript code can return values of any type.
    const validating = assertValid(() => answer as string)
    await t.rejects(validating, expected, message.slice(0, 50))
  }
})

test('returns 503 for an invalid verdict', async t => {
  const malformed = [{ message: 'no' }, { code: 'N'.repeat(65), message: 'no' }, { code: 'NO', message: '' }]
  for (const answer of [undefined, null, true, ['no'], {}, ...malformed]) {
    const expected = { code: 'VALIDATION_UNAVAILABLE', cause: { message: /^returned a value of type/ } }
    const validating = assertValid(() => Promise.resolve(answer) as never)
    await t.rejects(validating, expected)
  }
})

test('returns 503 if a validation hangs for five seconds, and leaves no timer behind', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  await assertValid(() => '')
  t.equal(timers(), before)
  const { after } = systemClock
  t.teardown(() => {
    systemClock.after = after
  })
  systemClock.after = (ms, action) => after(ms / 100, action)
  const hanging = assertValid(() => new Promise<string>(() => {}))
  const cause = { message: 'no response within 5000 ms' }
  await t.rejects(hanging, { code: 'VALIDATION_UNAVAILABLE', cause })
})

import { assertValid } from '../../../services/custom-validation/index.ts'
import { ServiceError } from '../../../services/errors/index.ts'
import { test } from '../../helpers/tap.ts'

test('the empty string lets a submission pass, as a value and as a promise', async t => {
  await t.resolves(assertValid(() => ''))
  await t.resolves(assertValid(async () => ''))
})

test('any other string refuses it with that message', async t => {
  for (const validate of [() => 'Not to us', async () => 'Not to us']) {
    await t.rejects(assertValid(validate), {
      code: 'CUSTOM_VALIDATION',
      statusCode: 400,
      message: 'Not to us'
    })
  }
})

test('a validation that throws is a fault, whatever status its error has', async t => {
  const theirs = Object.assign(new Error('no database'), { statusCode: 400 })
  const refusal = new ServiceError('CUSTOM_VALIDATION', 'thrown')
  for (const error of [theirs, refusal, 'a text', undefined]) {
    const expected = { message: 'customTransValidation failed', cause: error, statusCode: undefined }
    await t.rejects(
      assertValid(() => {
        throw error
      }),
      expected
    )
    await t.rejects(
      assertValid(() => Promise.reject(error)),
      expected
    )
  }
})

test('an answer that is not a string is a fault', async t => {
  for (const answer of [undefined, null, true, 0, ['no'], {}]) {
    // As plain JavaScript would answer it.
    const validate: () => string = () => JSON.parse(JSON.stringify(answer ?? null))
    await t.rejects(assertValid(validate), {
      message: /^customTransValidation answered with a value of type/
    })
  }
})

test('a validation that has answered leaves no timer behind', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  await assertValid(() => '')
  t.equal(timers(), before)
})

test('a validation that hangs is a fault after its time-out', async t => {
  const hanging = () => new Promise<string>(() => {})
  await t.rejects(assertValid(hanging, 20), { cause: { message: 'no answer within 20 ms' } })
})

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

test('a refusal may have a code of its own', async t => {
  for (const code of ['OUT_OF_STOCK', 'out-of.stock']) {
    await t.rejects(
      assertValid(() => ({ code, message: 'Sold' })),
      {
        code: 'CUSTOM_VALIDATION',
        statusCode: 400,
        message: 'Sold',
        customCode: code
      }
    )
  }
})

test('a validation that throws is unavailable, whatever status its error has', async t => {
  const theirs = Object.assign(new Error('no database'), { statusCode: 400 })
  const refusal = new ServiceError('CUSTOM_VALIDATION', 'thrown')
  for (const error of [theirs, refusal, 'a text', undefined]) {
    const expected = { code: 'VALIDATION_UNAVAILABLE', statusCode: 503, cause: error }
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

test('an answer that is neither a string nor a refusal with its code makes it unavailable', async t => {
  const malformed = [
    { message: 'no' },
    { code: 'A B', message: 'no' },
    { code: 'NO', message: '' },
    { code: 1 }
  ]
  for (const answer of [undefined, null, true, 0, ['no'], {}, ...malformed]) {
    // As plain JavaScript would answer it.
    const validate: () => string = () => JSON.parse(JSON.stringify(answer ?? null))
    await t.rejects(assertValid(validate), {
      code: 'VALIDATION_UNAVAILABLE',
      cause: { message: /^answered with a value of type/ }
    })
  }
})

test('an answer that throws when it is read makes it unavailable', async t => {
  const cause = new Error('no such field')
  const fails = () => {
    throw cause
  }
  const code = Object.defineProperty({ code: '', message: 'no' }, 'code', { get: fails, enumerable: true })
  const proxy = new Proxy({ code: 'NO', message: 'no' }, { ownKeys: fails })
  for (const answer of [code, proxy]) {
    await t.rejects(
      assertValid(() => answer),
      { code: 'VALIDATION_UNAVAILABLE', cause }
    )
    await t.rejects(
      assertValid(async () => answer),
      { code: 'VALIDATION_UNAVAILABLE', cause }
    )
  }
})

test('its text is cut, and has nothing that terminals act on', async t => {
  const message = 'Not\nto\u009b2J\u202eus'
  const expected = { code: 'CUSTOM_VALIDATION', message: 'Not to 2J us' }
  await t.rejects(
    assertValid(() => message),
    expected
  )
  await t.rejects(
    assertValid(() => ({ code: 'NO', message })),
    { ...expected, customCode: 'NO' }
  )
  await t.rejects(
    assertValid(() => 'x'.repeat(1_000_000)),
    { message: `${'x'.repeat(2000)}…` }
  )
  await t.rejects(
    assertValid(() => `${'x'.repeat(1999)}😀`),
    { message: `${'x'.repeat(1999)} …` }
  )
  await t.rejects(
    assertValid(() => '\n'),
    { code: 'CUSTOM_VALIDATION' },
    'a line break is not nothing'
  )
})

test('a validation that has answered leaves no timer behind', async t => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  await assertValid(() => '')
  t.equal(timers(), before)
})

test('a validation that hangs is unavailable after its time-out', async t => {
  const hanging = () => new Promise<string>(() => {})
  await t.rejects(assertValid(hanging, 20), {
    code: 'VALIDATION_UNAVAILABLE',
    cause: { message: 'no answer within 20 ms' }
  })
})

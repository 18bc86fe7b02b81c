import { errorCatalogue } from '../../../services/errors/catalogue.ts'
import { fieldError, IdentityTakenError, ServiceError } from '../../../services/errors/index.ts'
import { errorResponse } from '../../../services/http/error-response.ts'
import { test } from '../../helpers/tap.ts'

/** An error of the request validator. */
const invalid = (validation: object[], validationContext = 'body') =>
  Object.assign(new Error('invalid'), { validation, validationContext, statusCode: 400 })
const finding = (instancePath: string, message = 'must be string') => ({ instancePath, message, params: {} })

test('an error of the service keeps its message below 500, and has its code’s text from 500 on', async t => {
  const own = new ServiceError('QUOTE_REFUSED', 'too low', { headers: { 'retry-after': '1' } })
  t.strictSame(errorResponse(own, 'r-1'), {
    code: 'QUOTE_REFUSED',
    statusCode: 400,
    headers: { 'retry-after': '1', 'x-request-id': 'r-1' },
    body: {
      statusCode: 400,
      code: 'QUOTE_REFUSED',
      error: 'Bad Request',
      message: 'too low',
      requestId: 'r-1'
    }
  })
  const { body } = errorResponse(new ServiceError('UPSTREAM_ERROR', 'node-7: refused'), 'r-1')
  t.equal(body.message, errorCatalogue.UPSTREAM_ERROR.meaning)
  t.equal(body.error, 'Bad Gateway')
})

test('whatever else is thrown is an internal error without its message', async t => {
  for (const thrown of [
    new Error('secret'),
    'secret',
    undefined,
    Object.assign(new Error('secret'), { statusCode: 302 })
  ]) {
    const { statusCode, body } = errorResponse(thrown, 'r-1')
    t.equal(statusCode, 500)
    t.match(body, { code: 'INTERNAL', message: errorCatalogue.INTERNAL.meaning })
  }
})

test('20 of many findings are reported, each once', async t => {
  const findings = Array.from({ length: 50 }, (_, n) => finding(`/field${n >> 1}`))
  const { body } = errorResponse(invalid(findings), 'r-1')
  t.same(
    body.details,
    Array.from({ length: 20 }, (_, n) => ({ path: `/field${n}`, message: 'must be string' }))
  )
  t.equal(body.message, 'body/field0 must be string')
})

test('the message names the part of the request, and a missing property by its own path', async t => {
  const missing = { instancePath: '/options', params: { missingProperty: 'feeId' } }
  const { body } = errorResponse(invalid([missing], 'querystring'), 'r-1')
  t.match(body, {
    message: 'query/options/feeId is required',
    details: [{ path: '/options/feeId', message: 'is required' }]
  })
  t.match(errorResponse(invalid([finding('/txId')], 'params'), 'r-1').body.message, /^path\/txId /)
})

test('a parameter of a query that is there twice is named as that', async t => {
  const twice = { ...finding('/amount'), params: { type: 'string' } }
  t.match(errorResponse(invalid([twice], 'querystring'), 'r-1').body, {
    message: 'query/amount must not be given more than once'
  })
})

test('a field error names its field as a pointer and in words', async t => {
  t.match(errorResponse(fieldError('options/feeId', 'is taken', 'OPTIONS_INVALID'), 'r-1').body, {
    code: 'OPTIONS_INVALID',
    message: 'options.feeId is taken',
    details: [{ path: '/options/feeId', message: 'is taken' }]
  })
})

test('a submission that was not accepted has its code, and a time for the retry', async t => {
  const cases = [
    { error: new IdentityTakenError('fee'), code: 'QUOTE_ALREADY_USED', statusCode: 409, after: undefined },
    { error: new ServiceError('INTAKE_CLOSED'), code: 'INTAKE_CLOSED', statusCode: 503, after: '5' },
    {
      error: new ServiceError('WALLET_NOT_WHITELISTED'),
      code: 'WALLET_NOT_WHITELISTED',
      statusCode: 503,
      after: '30'
    },
    { error: new ServiceError('WALLET_UNKNOWN'), code: 'WALLET_UNKNOWN', statusCode: 503, after: '5' }
  ]
  for (const { error, code, statusCode, after } of cases) {
    const answer = errorResponse(error, 'r-1')
    t.match(answer, { code, statusCode })
    t.equal(answer.headers['retry-after'], after, code)
  }
})

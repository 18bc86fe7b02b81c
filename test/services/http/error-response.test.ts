import { errorCatalogue } from '../../../schemas/error-catalogue.ts'
import { fieldError } from '../../../services/errors/index.ts'
import { errorResponse } from '../../../services/http/error-response.ts'
import { test } from '../../helpers/tap.ts'

const invalid = (validation: object[], validationContext = 'body') =>
  Object.assign(new Error('invalid'), { validation, validationContext, statusCode: 400 })
const finding = (instancePath: string, params = {}) => ({ instancePath, message: 'must be string', params })

test('turns an unknown error into an internal error without the original message', async t => {
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

test('reports at most 20 distinct findings', async t => {
  const findings = Array.from({ length: 50 }, (_, n) => finding(`/field${n >> 1}`))
  const { body } = errorResponse(invalid(findings), 'r-1')
  t.same(
    body.details,
    Array.from({ length: 20 }, (_, n) => ({ path: `/field${n}`, message: 'must be string' }))
  )
  t.equal(body.message, 'body/field0 must be string')
})

test('a validation error names the field in its message and as a JSON pointer', async t => {
  const message = 'must not be given more than once'
  const twice = invalid([finding('/amount', { type: 'string' })], 'querystring')
  for (const [error, text, path, problem] of [
    [invalid([finding('/txId')], 'params'), 'path/txId must be string', '/txId', 'must be string'],
    [twice, `query/amount ${message}`, '/amount', message],
    [fieldError('options/feeId', 'is taken'), 'options.feeId is taken', '/options/feeId', 'is taken']
  ] as const) {
    const { body } = errorResponse(error, 'r-1')
    t.match(body, { code: 'VALIDATION', message: text, details: [{ path, message: problem }] })
  }
})

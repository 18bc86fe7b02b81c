import { STATUS_CODES } from 'node:http'
import type { Static } from '@sinclair/typebox'
import { type ErrorCode, errorCatalogue } from '../../schemas/error-catalogue.ts'
import { docUrlOf, type ErrorBody } from '../../schemas/errors.ts'
import { formOf } from '../../schemas/leaves.ts'
import { ServiceError } from '../errors/index.ts'
import { shown } from '../errors/shown.ts'
import { StoreUnavailableError } from '../submission/errors.ts'

/** Framework error codes with an equivalent in our catalogue. Other errors are mapped by status. */
const frameworkCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_JSON',
  FST_ERR_CTP_INVALID_JSON_BODY: 'INVALID_JSON'
}

const statusCodes: Record<number, ErrorCode> = {
  404: 'ROUTE_NOT_FOUND',
  413: 'BODY_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE'
}

/** Maximum number of details: a hostile request could cause thousands (interface 3.3). */
const MAX_DETAILS = 20

/** Maximum length of an unknown property's name in a response. */
const MAX_NAME = 300
const partNames: Record<string, string> = { body: 'body', querystring: 'query', params: 'path' }

function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof Error)) return 'INTERNAL'
  const code = 'code' in error && typeof error.code === 'string' ? frameworkCodes[error.code] : undefined
  if (code !== undefined) return code
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
  return status < 400 || status >= 500 ? 'INTERNAL' : (statusCodes[status] ?? 'BAD_REQUEST')
}

/** An error of Ajv. */
interface SchemaError {
  keyword: string
  instancePath: string
  message?: string
  params: {
    missingProperty?: unknown
    additionalProperty?: unknown
    allowedValues?: unknown[]
    pattern?: unknown
    type?: unknown
  }
}

function validationError(errors: SchemaError[], part: string): ServiceError {
  const details = errors
    // Skip the `anyOf` error, because the errors of its alternatives are listed too.
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map(({ instancePath, message = 'is not valid', params }) => {
      const { missingProperty, additionalProperty, allowedValues, pattern, type } = params
      if (typeof missingProperty === 'string')
        return { path: `${instancePath}/${missingProperty}`, message: 'is required' }
      if (typeof additionalProperty === 'string')
        return { path: `${instancePath}/${shown(additionalProperty, MAX_NAME)}`, message: 'is unknown' }
      if (allowedValues) return { path: instancePath, message: `must be one of ${allowedValues.join(', ')}` }
      // A query parameter that is given once is always a string.
      if (part === 'querystring' && type === 'string')
        return { path: instancePath, message: 'must not be given more than once' }
      if (typeof pattern !== 'string') return { path: instancePath, message }
      return { path: instancePath, message: `must be ${formOf(pattern) ?? 'of the documented form'}` }
    })
  const unique = new Map(details.map(detail => [`${detail.path} ${detail.message}`, detail]))
  const [first = ''] = unique.keys()
  const message = `${partNames[part] ?? part}${first}`
  return new ServiceError('VALIDATION', message, { details: [...unique.values()].slice(0, MAX_DETAILS) })
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof StoreUnavailableError) return new ServiceError('STORE_UNAVAILABLE')
  if (error instanceof Error && 'validation' in error && Array.isArray(error.validation)) {
    const part = 'validationContext' in error ? String(error.validationContext) : ''
    return validationError(error.validation, part)
  }
  return new ServiceError(codeOf(error))
}

/** Builds the response for any thrown value. A 5xx contains only the catalogue's text (interface 3.4). */
export function errorResponse(error: unknown, requestId: string) {
  const { code, statusCode, message, headers, fields } = toServiceError(error)
  return {
    code,
    statusCode,
    headers: { ...headers, 'x-request-id': requestId },
    body: {
      statusCode,
      code,
      error: STATUS_CODES[statusCode] ?? '',
      message: statusCode >= 500 ? errorCatalogue[code].meaning : message,
      requestId,
      docUrl: docUrlOf(code),
      ...fields
    } satisfies Static<typeof ErrorBody>
  }
}

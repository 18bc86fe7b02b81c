import AjvCompiler from '@fastify/ajv-compiler'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

/** Returns the same compiler for the same options. */
const factory = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true, allErrors: true } as const

/**
 * Validates a part of a request. In a JSON body a wrong type is an error (interface 3.6). Queries, paths and headers are
 * text and are read as the type that the schema asks for (interface 3.7).
 *
 * A schema is compiled for its first request: all of them together would be a tenth of the start.
 */
export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) => {
  const coerceTypes = httpPart === 'body' ? false : 'array'
  let validate: ReturnType<ReturnType<typeof factory>> | undefined
  return data => {
    validate ??= factory({}, { customOptions: { ...common, coerceTypes } })({ schema })
    return validate(data) === true || { error: validate.errors ?? [] }
  }
}

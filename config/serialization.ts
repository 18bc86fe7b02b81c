import SerializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifySchema, FastifySerializerCompiler } from 'fastify'

const compile = SerializerCompiler()()

/**
 * Serializes answers. Bodies of errors are made with exactly their fields, and every route has several of them. The others
 * are compiled for their first answer: all of them together would be a fifth of the start.
 */
export const compileSerializer: FastifySerializerCompiler<FastifySchema> = route => {
  if (Number(route.httpStatus) >= 400) return JSON.stringify
  let serialize: ReturnType<typeof compile> | undefined
  return data => {
    serialize ??= compile({ httpStatus: '', ...route })
    return serialize(data)
  }
}

import AjvCompiler from '@fastify/ajv-compiler'

/** Returns the same compiler for the same options, so that each schema is compiled once per application. */
const factory = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true, allErrors: true } as const

/**
 * Builds the validators of requests. In a JSON body a wrong type is an error (interface 3.6). Queries, paths and headers
 * are text and are read as the type that the schema asks for (interface 3.7).
 */
export const buildValidator: AjvCompiler.BuildCompilerFromPool = externalSchemas => {
  const exact = factory(externalSchemas, { customOptions: { ...common, coerceTypes: false } })
  const reading = factory(externalSchemas, { customOptions: { ...common, coerceTypes: 'array' } })
  // Fastify passes the part of a route that holds a schema, although the types say that it passes the schema.
  return part => (typeof part === 'object' && part['httpPart'] === 'body' ? exact(part) : reading(part))
}

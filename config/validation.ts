import AjvCompiler from '@fastify/ajv-compiler'

/** Gives the same compiler for the same options, however many contexts an application has. */
const factory = AjvCompiler()

const common = { removeAdditional: false, useDefaults: true, allErrors: true } as const

/**
 * Builds the validators of requests: in a JSON body a wrong type is an error (contract §3), while a query,
 * a path and headers are text by nature and are read as the type that the schema asks for.
 */
export const buildValidator: AjvCompiler.BuildCompilerFromPool = externalSchemas => {
  const exact = factory(externalSchemas, { customOptions: { ...common, coerceTypes: false } })
  const reading = factory(externalSchemas, { customOptions: { ...common, coerceTypes: 'array' } })
  // What comes is not a schema, as the types have it, but the part of a route that holds one.
  return part => (typeof part === 'object' && part['httpPart'] === 'body' ? exact(part) : reading(part))
}

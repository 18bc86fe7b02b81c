import SerializerCompiler from '@fastify/fast-json-stringify-compiler'

const factory = SerializerCompiler()

/**
 * Builds the serializers of answers. Bodies of errors are made with exactly their fields, and every route has several of
 * them: a serializer for each took a tenth of the start.
 */
export const buildSerializer: SerializerCompiler.SerializerFactory = (schemas, options) => {
  const compile = factory(schemas, options)
  return route => (Number(route.httpStatus) >= 400 ? JSON.stringify : compile(route))
}

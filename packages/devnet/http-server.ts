import AjvCompiler from '@fastify/ajv-compiler'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance } from 'fastify'

export interface RunningServer {
  /** Base URL without a trailing slash. */
  url: string
  close(): Promise<void>
}

export interface ListenOptions {
  host: string
  /** 0 picks a free port. */
  port: number
}

/** Shared between instances, because every new compiler first compiles the JSON Schema meta-schema. */
const buildValidator = AjvCompiler()

/** Creates a Fastify instance that does not coerce types. Closing it does not wait for open connections. */
export function createApp() {
  return fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator } }
  }).withTypeProvider<TypeBoxTypeProvider>()
}

/** Starts listening. @throws the system's error, such as EADDRINUSE */
export async function listen(
  app: Pick<FastifyInstance, 'listen' | 'close'>,
  options: ListenOptions
): Promise<RunningServer> {
  return { url: await app.listen(options), close: () => app.close() }
}

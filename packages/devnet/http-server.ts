import AjvCompiler from '@fastify/ajv-compiler'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { type FastifyInstance } from 'fastify'

/** A server of the development network that listens. */
export interface RunningServer {
  /** Base URL without a slash at its end. */
  url: string
  close(): Promise<void>
}

export interface ListenOptions {
  host: string
  /** 0 picks a free port. */
  port: number
}

/** Shared: a Fastify instance with its own compiler compiles the schema of JSON Schema first. */
const buildValidator = AjvCompiler()

/** The Fastify instance that the HTTP servers here start from: no type coercion, and closing does not wait for connections. */
export function createApp() {
  return fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { coerceTypes: false } },
    schemaController: { compilersFactory: { buildValidator } }
  }).withTypeProvider<TypeBoxTypeProvider>()
}

/** Listens. @throws the system's error, such as EADDRINUSE for a taken port */
export async function listen(
  app: Pick<FastifyInstance, 'listen' | 'close'>,
  options: ListenOptions
): Promise<RunningServer> {
  const url = await app.listen(options)
  return {
    url,
    close: async () => {
      await app.close()
    }
  }
}

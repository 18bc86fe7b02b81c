import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Test } from 'tap'
import app from '../../app.ts'
import { fastifyOptions } from '../../config/fastify-options.ts'
import { loadConfig } from '../../config/index.ts'
import type { Environment } from '../../config/read.ts'
import { type Devnet, startDevnet } from '../../devnet/index.ts'
import type { DevnetOptions } from '../../devnet/options.ts'
import { recordAnswers } from '../openapi/recorder.ts'

/** Environment variables. */
export type Variables = Record<string, string>

/** A folder of the test's own, gone when it ends. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'transaction-back-end-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A development network of the test's own on free ports, with quick blocks. */
export async function startNetwork(t: Test, options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  const devnet = await startDevnet({ blockTimeMs: 100, ...options })
  t.teardown(() => devnet.close())
  return devnet
}

/** A complete environment of a server at that network, with a store of the test's own. */
export function testEnv(t: Test, devnet: Devnet, overrides: Variables = {}): Variables {
  return {
    ...devnet.env(),
    NODE_ENV: 'test',
    DOMAIN: 'https://shop.example',
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    // One address makes all of a test's requests.
    RATE_LIMIT_MAX: '100000',
    ...overrides
  }
}

export interface BuildOptions {
  /** A network that the test shares among several servers, or holds the controls of. */
  devnet?: Devnet
  /** Routes of the test's own. */
  routes?: FastifyPluginAsync
  /** Hooks of the test's own, for all routes. Those of a plugin of fastify-plugin. */
  hooks?: FastifyPluginAsync
  /** Where the log goes, line by line, when LOG_LEVEL lets it; nowhere but to stdout without. */
  logTo?: (line: string) => void
}

/** The application that server.ts runs, ready, at a development network; both are closed when the test ends. */
export async function build(
  t: Test,
  overrides: Variables = {},
  { devnet, routes, hooks, logTo }: BuildOptions = {}
): Promise<FastifyInstance> {
  const env: Environment = testEnv(t, devnet ?? (await startNetwork(t)), {
    LOG_LEVEL: 'silent',
    ...overrides
  })
  const { config, secrets } = loadConfig(env)
  const options = fastifyOptions(config)
  const logger = logTo === undefined ? options.logger : { ...options.logger, stream: { write: logTo } }
  const server: FastifyInstance = Fastify({ ...options, logger })
  t.teardown(() => server.close())
  recordAnswers(t, server)
  if (hooks !== undefined) server.register(hooks)
  server.register(app, { config, secrets })
  if (routes !== undefined) server.register(routes)
  await server.ready()
  return server
}

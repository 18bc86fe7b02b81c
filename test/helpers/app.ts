import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Test } from 'tap'
import app from '../../app.ts'
import { serverOptions } from '../../config/fastify-options.ts'
import { loadConfig } from '../../config/index.ts'
import type { Environment } from '../../config/read.ts'
import { type Devnet, startDevnet } from '../../packages/devnet/index.ts'
import type { DevnetOptions } from '../../packages/devnet/options.ts'
import { recordAnswers } from '../openapi/recorder.ts'
import { until } from './until.ts'

export type Variables = Record<string, string>

/** A network for tests of the engine and the server: a devnet or a real chain. */
export interface Network {
  readonly urls: { readonly rpc: string }
  readonly addresses: { readonly development: string }
  /** The variables that point a server at this network. */
  env(): Variables
}

/** Variables for mainnet, with a random phrase. Its wallet has no funds on a development network. */
export const MAINNET: Variables = {
  SERVICE_ENVIRONMENT: 'mainnet',
  SERVICE_BACKEND_MNEMONIC: generateMnemonic(wordlist)
}

/** Turns on all optional checks of a submission. The submissions of a client or a page must pass them. */
export const STRICT: Variables = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }

/** Creates a folder that is deleted when the test ends. */
export function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'transaction-back-end-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a development network on free ports, with a block every 100 ms. It closes when the test ends. */
export async function startNetwork(t: Test, options: Partial<DevnetOptions> = {}): Promise<Devnet> {
  const devnet = await startDevnet({ blockTimeMs: 100, ...options })
  t.teardown(() => devnet.close())
  return devnet
}

/** Returns a complete environment for a server on a network, with a new data directory. */
export function testEnv(t: Test, network: Pick<Network, 'env'>, overrides: Variables = {}): Variables {
  return {
    ...network.env(),
    NODE_ENV: 'test',
    DOMAIN: 'https://shop.example',
    HOST: '127.0.0.1',
    PORT: '0',
    SERVICE_DATA_DIR: join(temporaryFolder(t), 'data'),
    // All requests of a test come from one client address.
    RATE_LIMIT_MAX: '100000',
    // Long enough for a slow machine, and below the 300 s timeout of fetch.
    SERVICE_SUBMIT_TIMEOUT: '250000',
    ...overrides
  }
}

export interface BuildOptions {
  /** The development network; omit to start a new one. */
  devnet?: Devnet
  routes?: FastifyPluginAsync
  /** Hooks for all routes: a plugin wrapped in fastify-plugin. */
  hooks?: FastifyPluginAsync
  /** Called with each log line of level LOG_LEVEL or higher. When omitted, the log goes to stdout. */
  logTo?: (line: string) => void
}

/** Waits until an application, or the server at a URL, is ready: a new store of a used wallet starts blocked. */
export const untilReady = (server: FastifyInstance | string): Promise<unknown> =>
  until(
    async () =>
      typeof server === 'string'
        ? (await fetch(`${server}/ready`)).ok
        : (await server.inject('/ready')).statusCode === 200,
    'the server is ready'
  )

/** Resolves when a node has responded: on a slow machine, the first call at startup might time out. */
const untilReached = ({ submissions }: FastifyInstance): Promise<unknown> =>
  until(
    () => submissions.health().blockers.every(({ kind }) => kind !== 'node-unreachable'),
    'a node has responded'
  )

/** Builds the application on a development network and waits until it is ready. Both close when the test ends. */
export async function build(
  t: Test,
  overrides: Variables = {},
  { devnet, routes, hooks, logTo }: BuildOptions = {}
): Promise<FastifyInstance> {
  const env: Environment = testEnv(t, devnet ?? (await startNetwork(t)), {
    LOG_LEVEL: 'silent',
    ...overrides
  })
  const configuration = loadConfig(env)
  const { config } = configuration
  const options = logTo === undefined ? serverOptions(config) : serverOptions(config, { write: logTo })
  // The first start in a process compiles all sources, which takes minutes on a busy machine.
  const server: FastifyInstance = Fastify({ ...options, pluginTimeout: 0 })
  t.teardown(() => server.close())
  recordAnswers(t, server)
  if (hooks !== undefined) server.register(hooks)
  server.register(app, configuration)
  if (routes !== undefined) server.register(routes)
  await server.ready()
  if (!('SERVICE_BACKEND_NODE_PROVIDER' in overrides)) await untilReached(server)
  return server
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Test } from 'tap'
import app from '../../app.ts'
import { fastifyOptions } from '../../config/fastify-options.ts'
import { loadConfig } from '../../config/index.ts'
import type { Environment } from '../../config/read.ts'
import { type Devnet, startDevnet } from '../../devnet/index.ts'
import type { DevnetOptions } from '../../devnet/options.ts'
import { recordAnswers } from '../openapi/recorder.ts'

type Variables = Record<string, string>

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

export interface ServerProcess {
  /** All that it wrote so far, to stdout and stderr. */
  readonly output: string
  /** How it ended: the exit code, or null when a signal killed it. */
  readonly exited: Promise<number | null>
  /** Resolves once the output matches; rejects when the process ends without. */
  saw(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/** How node runs the server from its sources. */
const fromSources = [
  '--import',
  import.meta.resolve('tsx/esm'),
  fileURLToPath(new URL('../../server.ts', import.meta.url))
]

/** Ends the server with the test's process, which tears nothing down when it is killed, as after a time-out. */
const endWithParent = ['--import', import.meta.resolve('./end-with-parent.js')]

/** The real server as a process of its own, with that environment alone; killed when the test ends. */
export function spawnServer(t: Test, env: Variables, nodeArguments = fromSources): ServerProcess {
  const child = spawn(process.execPath, [...endWithParent, ...nodeArguments], {
    // A folder without a .env file.
    cwd: temporaryFolder(t),
    env,
    stdio: 'pipe'
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      child.emit('output')
    })
  }
  const exited = once(child, 'close').then(() => child.exitCode)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    exited,
    get output() {
      return output
    },
    saw: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match !== null) resolve(match)
        }
        child.on('output', look)
        exited.then(code => reject(new Error(`The server ended with ${code} and wrote: ${output}`)))
        look()
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
    kill(signal) {
      child.kill(signal)
    }
  }
}

/** Starts the real server and waits until it listens; `env` as `testEnv` makes it. */
export async function startServer(
  t: Test,
  env: Variables,
  nodeArguments?: string[]
): Promise<ServerProcess & { readonly url: string }> {
  const server = spawnServer(t, env, nodeArguments)
  const [, url = ''] = await server.saw(/Server listening at (http:\/\/[^"]+)/)
  return Object.assign(server, { url })
}

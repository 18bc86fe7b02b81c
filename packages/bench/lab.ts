import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { until } from '../../test/helpers/until.ts'
import { freePort } from '../devnet/free-port.ts'
import type { Sent } from './compared.ts'
import type { Block, NetworkFacts } from './network.ts'
import { type Result, toMarkdown } from './report.ts'
import type { Usage } from './usage.ts'

const HOST = '127.0.0.1'

/** Whether to run only a smoke test, with the smallest load. */
export const isSmallest = process.argv.includes('--smallest')

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const stops: (() => Promise<void>)[] = []
let files = 0
const newFile = (name: string) => join(folder, `${name}-${++files}`)

const script = (name: string) => join(import.meta.dirname, `${name}.js`)

/** Starts a Node process that reports its usage on request. It ends with its benchmark. */
function startChild(args: string[], env: Record<string, string> = {}) {
  const logPath = newFile('process.log')
  const log = openSync(logPath, 'a')
  const child = spawn(process.execPath, ['--expose-gc', '--import', script('usage'), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', log, log, 'ipc']
  })
  const exited = once(child, 'exit')
  const failure = exited.then((): never => {
    throw new Error(`${args.join(' ')} ended: ${readFileSync(logPath, 'utf8').slice(-4000)}`)
  })
  failure.catch(() => {})

  const messages = new EventEmitter()
  child.on('message', (message: { topic: string }) => messages.emit(message.topic, message))
  const next = <T extends { topic: string }>(topic: T['topic']): Promise<T> =>
    Promise.race([failure, once(messages, topic).then(([message]) => message)])

  function usage({ collect = false } = {}): Promise<Usage> {
    child.send({ collect })
    return next<Usage>('usage')
  }

  async function stop(): Promise<void> {
    child.kill()
    await exited
  }
  stops.push(stop)
  return { messages, next, failure, usage, stop }
}

/** The network's facts, and every block since its start, in order. */
export type Network = NetworkFacts & { blocks: Block[] }

/** Starts the development network in its own process. */
export async function startNetwork(blockTimeMs: number, maxBlockGas: number): Promise<Network> {
  const child = startChild([script('network'), `${blockTimeMs}`, `${maxBlockGas}`])
  const blocks: Block[] = []
  child.messages.on('block', (block: Block) => blocks.push(block))
  return { ...(await child.next<NetworkFacts>('network')), blocks }
}

async function isOk(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  await response?.text()
  return response?.ok ?? false
}

export type Server = Awaited<ReturnType<typeof startServing>>

async function startServing(args: string[], env: Record<string, string> = {}) {
  const port = await freePort(HOST)
  const { failure, usage, stop } = startChild(args, { ...env, NODE_ENV: 'production', HOST, PORT: `${port}` })
  const url = `http://${HOST}:${port}`
  await Promise.race([failure, until(() => isOk(`${url}/health`), 'the server is healthy')])
  return { url, usage, stop }
}

/** Starts the built server as `npm start` does, with a new store, and waits for its first response. */
export function startService({ env }: Network, change: Record<string, string> = {}): Promise<Server> {
  // Leave out the compliance provider, because the benchmarks measure submissions to the chain.
  const { COMPLIANCE_URL: _, ...network } = env
  return startServing([...manifest.scripts.start.split(' ').slice(1, -1), script('dist/server')], {
    ...network,
    SERVICE_DATA_DIR: newFile('data'),
    // All requests come from one address, which is that of a trusted proxy.
    TRUST_PROXY: HOST,
    RATE_LIMIT_MAX: '100000000',
    // Higher than the total fees of any load.
    SERVICE_DAILY_FEE_LIMIT: '1000000000000000000',
    ...change
  })
}

export async function untilReady({ url }: Server): Promise<void> {
  await until(() => isOk(`${url}/ready`), 'the server is ready')
}

export function serve(kind: 'fastify' | 'express', answers: readonly Sent[]): Promise<Server> {
  const file = newFile('answers.json')
  writeFileSync(file, JSON.stringify(answers))
  return startServing([script('compared'), kind, file])
}

/** Runs benchmarks and prints their tables. The exit code is 1 if a response was wrong or missing. */
export async function run(benchmarks: readonly (() => Promise<Result>)[]): Promise<void> {
  const [load = 0] = loadavg()
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model.trim()})`
  process.stdout.write(`Node ${process.version}, ${machine}, load average before ${load.toFixed(1)}\n`)
  try {
    for (const benchmark of benchmarks) {
      const result = await benchmark().finally(() => Promise.all(stops.map(stop => stop())))
      process.stdout.write(`\n${toMarkdown(result)}`)
      if (result.wrong > 0) process.exitCode = 1
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { DemoError } from './walk.ts'

const SERVER = fileURLToPath(new URL('../../../server.ts', import.meta.url))
const HOST = '127.0.0.1'
const HEALTH_INTERVAL_MS = 100
const STOP_TIMEOUT_MS = 10_000

export interface ServerProcess {
  url: string
  /** Stops the server with SIGTERM, then with SIGKILL after a timeout. */
  stop(): Promise<void>
}

/**
 * Starts the server in its own process and waits until it is healthy. `directory` is its working directory, with its
 * data and its log, `server.log`. Its environment is `env` and the variables set here; it inherits no others.
 * @throws DemoError with the last lines of the log when the server exits early
 */
export async function startServer(
  env: Record<string, string>,
  directory: string,
  signal: AbortSignal,
  wantedPort?: number
): Promise<ServerProcess> {
  const port = wantedPort ?? (await freePort(HOST))
  const url = `http://${HOST}:${port}`
  const logPath = join(directory, 'server.log')
  const log = await open(logPath, 'a')
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx/esm'), SERVER], {
    cwd: directory,
    env: {
      ...env,
      HOST,
      PORT: String(port),
      SERVICE_DATA_DIR: join(directory, 'data'),
      // Send webhooks to the playground, which displays them.
      SERVICE_WEBHOOK_URL: `${url}/playground/webhooks`,
      SERVICE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`
    },
    stdio: ['ignore', log.fd, log.fd]
  })
  await log.close()
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  async function stop(): Promise<void> {
    await stopProcess(child)
    process.off('exit', kill)
  }

  try {
    await healthy(url, child, signal)
  } catch (error) {
    await stop()
    if (!(error instanceof DemoError)) throw error
    const lines = (await readFile(logPath, 'utf8')).trimEnd().split('\n').slice(-20)
    throw new DemoError([error.message, ...lines].join('\n'))
  }
  return { url, stop }
}

async function healthy(url: string, child: ChildProcess, signal: AbortSignal): Promise<void> {
  while (!hasEnded(child)) {
    const response = await fetch(`${url}/health`, { signal }).catch(() => undefined)
    if (response !== undefined && (await response.text()) === 'ok') return
    await delay(HEALTH_INTERVAL_MS, undefined, { signal })
  }
  throw new DemoError(`the server exited with ${child.signalCode ?? `code ${child.exitCode}`}`)
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await ended
  clearTimeout(timer)
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

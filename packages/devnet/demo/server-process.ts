import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { receivingInPlayground } from '../env.ts'
import { freePort } from '../free-port.ts'
import { DemoError } from './walk.ts'

const SERVER = fileURLToPath(new URL('../../../server.ts', import.meta.url))
const HOST = '127.0.0.1'
const HEALTH_INTERVAL_MS = 100
const STOP_TIMEOUT_MS = 10_000

export type ServerProcess = Awaited<ReturnType<typeof startServer>>

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
) {
  const port = wantedPort ?? (await freePort(HOST))
  const url = `http://${HOST}:${port}`
  const logPath = join(directory, 'server.log')
  const log = await open(logPath, 'a')
  const own = { HOST, PORT: String(port), SERVICE_DATA_DIR: join(directory, 'data') }
  const start = () =>
    spawn(process.execPath, ['--import', import.meta.resolve('tsx/esm'), SERVER], {
      cwd: directory,
      env: { ...env, ...receivingInPlayground(url), ...own },
      stdio: ['ignore', log.fd, log.fd]
    })
  let child = start()
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)

  /** Stops the server with SIGTERM, then with SIGKILL after a timeout. */
  async function stop(): Promise<void> {
    const timer = setTimeout(kill, STOP_TIMEOUT_MS)
    child.kill('SIGTERM')
    if (!hasEnded()) await once(child, 'exit')
    clearTimeout(timer)
    process.off('exit', kill)
    await log.close()
  }

  try {
    while (!(await isHealthy(url, signal))) {
      if (hasEnded())
        throw new DemoError(`the server exited with ${child.signalCode ?? `code ${child.exitCode}`}`)
      await delay(HEALTH_INTERVAL_MS, undefined, { signal })
    }
  } catch (error) {
    await stop()
    if (!(error instanceof DemoError)) throw error
    const lines = (await readFile(logPath, 'utf8')).trimEnd().split('\n').slice(-20)
    throw new DemoError([error.message, ...lines].join('\n'))
  }
  return {
    url,
    stop,
    /** Kills the server without warning, and starts another one with its data. */
    replace(): void {
      kill()
      child = start()
    }
  }
}

async function isHealthy(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(`${url}/health`, { signal }).catch(() => undefined)
  return (await response?.text()) === 'ok'
}

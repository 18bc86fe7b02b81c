import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serverArguments } from '../../../helpers/server-process.ts'

/** The pause before an ended server starts again, in milliseconds. */
const RESTART_MS = 500

export interface KeptServer {
  readonly name: string
  readonly url: string
  readonly log: string
  /** Of the present process. */
  readonly pid: number | undefined
  /** Stops it with SIGTERM, for good. */
  stop(): Promise<void>
}

/**
 * Runs a server, and runs it again whenever it ends, as `restart` in compose.yaml does.
 * @param report gets a line when it has ended and when it runs again
 */
export async function keepServer(
  server: { name: string; port: number; directory: string; env: Record<string, string> },
  report: (line: string) => void
): Promise<KeptServer> {
  const nodeArguments = await serverArguments()
  const { name, port, directory } = server
  const env = { ...server.env, HOST: '127.0.0.1', PORT: String(port) }
  const log = join(directory, `${name}.log`)
  let isKept = true
  let child = start()

  /** Detached, so that Ctrl-C is for the script alone, which stops everything in order. */
  function start(): ChildProcess {
    const file = openSync(log, 'a')
    const options: SpawnOptions = { cwd: directory, env, detached: true, stdio: ['pipe', file, file] }
    const started = spawn(process.execPath, nodeArguments, options)
    closeSync(file)
    return started
  }

  async function keep(): Promise<void> {
    for (;;) {
      const [code, signal] = await once(child, 'exit')
      if (!isKept) return
      report(`${name} ended (${signal ?? `exit code ${code}`}) and restarts`)
      await delay(RESTART_MS)
      if (!isKept) return
      child = start()
      report(`${name} has pid ${child.pid}`)
    }
  }
  const ended = keep()

  return {
    name,
    url: `http://127.0.0.1:${port}`,
    log,
    get pid() {
      return child.pid
    },
    async stop() {
      isKept = false
      child.kill('SIGTERM')
      await ended
    }
  }
}

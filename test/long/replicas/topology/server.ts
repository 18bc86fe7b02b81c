import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { serverArguments } from '../../../helpers/server-process.ts'

const RESTART_MS = 500

/** Runs a server and restarts it whenever it exits, as `restart` in compose.yaml does. */
export async function keepServer(
  server: { name: string; port: number; directory: string; env: Record<string, string> },
  report: (line: string) => void
) {
  const nodeArguments = await serverArguments()
  const { name, port, directory } = server
  const env = { ...server.env, HOST: '127.0.0.1', PORT: String(port) }
  const log = join(directory, `${name}.log`)
  let isKept = true
  let child = start()

  /** Starts a detached process, so that Ctrl-C reaches only the script. The script then stops everything in order. */
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

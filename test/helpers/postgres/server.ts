import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { endingWithStdin } from '../../../packages/devnet/ending-with-stdin.ts'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { postgres } from './binaries.ts'
import { asServer } from './data-folder.ts'

const HOST = '127.0.0.1'

/** Disables flushes, which matter only for a power failure. A killed process loses no written data. */
const WITHOUT_FLUSH = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

export type ServerOfDatabases = Awaited<ReturnType<typeof serverFor>>

/** Returns a server for a cluster. It stops when the test ends. */
export async function serverFor(t: Pick<Test, 'teardown'>, data: string) {
  const port = await freePort(HOST)
  let ended: Promise<unknown> | undefined

  /** Sends a signal to the server's main process. */
  function signal(name: NodeJS.Signals): void {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), name)
  }

  /** Stops the server gracefully or with `kill -9`, and waits until its connections have closed. */
  async function stop(name: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (ended === undefined) return
    signal(name)
    await ended
    ended = undefined
  }

  t.teardown(() => stop('SIGINT'))
  return {
    port,
    /** Starts the server, always on the same port. */
    async start(...options: string[]): Promise<void> {
      const place = ['-D', data, '-p', String(port), '-h', HOST, '-k', '']
      const command = endingWithStdin('QUIT', postgres, ...place, ...WITHOUT_FLUSH, ...options)
      const child = spawn('sh', command, { ...asServer, detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
      let output = ''
      child.once('exit', () => child.stdin.destroy())
      // The log pipe closes when the last process exits. After kill -9, connection processes briefly outlive the main
      // process, and no new server starts while they use the shared memory.
      ended = once(child, 'close')
      await new Promise<void>((resolve, reject) => {
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          output += text
          if (/ready to accept (read-only )?connections/.test(output)) resolve()
        })
        child.once('exit', () => {
          ended = undefined
          reject(new Error(`the database server exited with output: ${output}`))
        })
      })
    },
    stop,
    signal
  }
}

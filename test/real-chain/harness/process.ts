import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Genesis } from './genesis.ts'

/** A running node. */
export interface NodeProcess {
  /** Describes how it ended; undefined while it runs. */
  readonly end: string | undefined
  readonly ended: Promise<void>
  signal(name: NodeJS.Signals): void
}

/** How much of the log an error includes. */
const TAIL = 4000

const logFile = (home: string) => join(home, 'node.log')

/** Returns the end of the node's log. */
export async function logTail(home: string): Promise<string> {
  return (await readFile(logFile(home), 'utf8')).slice(-TAIL)
}

/** Starts the node of that home. It logs to a file there and ends with this process, even if that is killed. */
export function startProcess(binary: string, home: string): NodeProcess {
  const log = openSync(logFile(home), 'a')
  const child = spawn(binary, ['start', '--home', home], { stdio: ['ignore', log, log] })
  closeSync(log)
  const watcher = endWithParent(child)
  let end: string | undefined
  const ended = once(child, 'exit')
    .then(([code, signal]) => `the node ended with ${code ?? signal}`, String)
    .then(description => {
      end = description
      watcher.kill('SIGKILL')
    })
  return {
    ended,
    get end() {
      return end
    },
    signal: name => void child.kill(name)
  }
}

/** Ends a process when this one ends: the system closes the pipe that the watcher reads. */
function endWithParent({ pid }: ChildProcess): ChildProcess {
  const script = 'read -r _; kill -9 "$0"'
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
}

/** Exports a stopped node's state as the genesis of a successor chain. */
export async function exportState(binary: string, home: string): Promise<Genesis> {
  const document = join(home, 'exported.json')
  await promisify(execFile)(binary, ['export', '--home', home, '--output-document', document])
  return JSON.parse(await readFile(document, 'utf8'))
}

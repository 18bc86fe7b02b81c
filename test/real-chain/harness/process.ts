import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface NodeProcess {
  /** Describes how the node exited; undefined while it is running. */
  readonly end: string | undefined
  readonly ended: Promise<void>
  signal(name: NodeJS.Signals): void
}

const TAIL = 4000

const logFile = (home: string) => join(home, 'node.log')

export async function logTail(home: string): Promise<string> {
  return (await readFile(logFile(home), 'utf8')).slice(-TAIL)
}

/** Starts a node, which logs to a file in its home. The node is killed when this process ends, even if by SIGKILL. */
export function startProcess(binary: string, home: string): NodeProcess {
  const log = openSync(logFile(home), 'a')
  const child = spawn(binary, ['start', '--home', home], { stdio: ['ignore', log, log] })
  closeSync(log)
  const watcher = endWithParent(child)
  let end: string | undefined
  const ended = once(child, 'exit')
    .then(([code, signal]) => `the node exited with ${code ?? signal}`, String)
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

/** Ends a process with this one: the operating system then closes the pipe that the watcher reads. */
function endWithParent({ pid }: ChildProcess): ChildProcess {
  const script = 'read -r _; kill -9 "$0"'
  return spawn('sh', ['-c', script, String(pid)], { stdio: ['pipe', 'ignore', 'ignore'] })
}

import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { root } from './repository.ts'

export interface TestProcess {
  readonly pid: number | undefined
  /** Everything written so far. */
  readonly stdout: string
  readonly stderr: string
  /** Everything written so far, to stdout and stderr. */
  readonly output: string
  /** Resolves with the exit code, or null if a signal killed the process. */
  readonly exited: Promise<number | null>
  /** Resolves once the output matches; rejects if the process ends first. */
  saw(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/** Starts a program. It is killed when the test ends. */
export function startProcess(
  t: Pick<Test, 'teardown'>,
  command: string,
  words: readonly string[],
  options: SpawnOptionsWithoutStdio = {}
): TestProcess {
  const child = spawn(command, words, { ...options, stdio: 'pipe' })
  const written = { stdout: '', stderr: '', output: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      written.output += text
      child.emit('output')
    })
  }
  const exited = once(child, 'close').then(() => child.exitCode)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  t.teardown(() => stop('SIGKILL'))
  return Object.assign(written, {
    pid: child.pid,
    exited,
    saw: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(written.output)
          if (match === null) return
          child.off('output', look)
          resolve(match)
        }
        child.on('output', look)
        exited.then(code => reject(new Error(`${command} exited with ${code} and output: ${written.output}`)))
        look()
      }),
    stop,
    kill: (signal: NodeJS.Signals) => void child.kill(signal)
  })
}

/** Starts a TypeScript script, given by its path from the repository root. */
export const startScript = (t: Pick<Test, 'teardown'>, path: string, ...words: string[]): TestProcess =>
  startProcess(
    t,
    process.execPath,
    ['--import', import.meta.resolve('tsx/esm'), join(root, path), ...words],
    {
      cwd: root
    }
  )

import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { root } from './repository.ts'

/** Starts a program. It is killed when the test ends. */
export function startProcess(
  t: Pick<Test, 'teardown'>,
  command: string,
  words: readonly string[],
  options: SpawnOptionsWithoutStdio = {}
) {
  const child = spawn(command, words, { ...options, stdio: 'pipe' })
  /** Everything written so far; `output` is both. */
  const written = { stdout: '', stderr: '', output: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      written.output += text
      child.emit('output')
    })
  }
  /** Resolves with the exit code, or null if a signal killed the process. */
  const exited = once(child, 'close').then(() => child.exitCode)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  t.teardown(() => stop('SIGKILL'))
  return Object.assign(written, {
    pid: child.pid,
    exited,
    /** Resolves once the output matches; rejects if the process ends first. */
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
export const startScript = (t: Pick<Test, 'teardown'>, path: string, ...words: string[]) => {
  const program = ['--import', import.meta.resolve('tsx/esm'), join(root, path)]
  return startProcess(t, process.execPath, [...program, ...words], { cwd: root })
}

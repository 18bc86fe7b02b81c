import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { endingWithStdin } from '../../packages/devnet/ending-with-stdin.ts'
import { root } from './repository.ts'

/**
 * Starts a program. It is killed when the test ends.
 * @param lastSignal ends the program if this process is killed. The program then runs below a shell, so its exit code
 *   is unknown, and signals go to both.
 */
export function startProcess(
  t: Pick<Test, 'teardown'>,
  command: string,
  words: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
  lastSignal?: 'KILL' | 'QUIT'
) {
  const child = lastSignal
    ? spawn('sh', endingWithStdin(lastSignal, command, ...words), { ...options, detached: true })
    : spawn(command, words, options)
  /** Everything written so far; `output` is both. */
  const written = { stdout: '', stderr: '', output: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
      written.output += text
      child.emit('output')
    })
  }
  let hasExited = false
  /** Resolves with the exit code, or null if a signal killed the process. */
  const exited = once(child, 'close').then(() => {
    hasExited = true
    return child.exitCode
  })
  function kill(signal: NodeJS.Signals): void {
    if (!lastSignal) child.kill(signal)
    else if (!hasExited) process.kill(-Number(child.pid), signal)
  }
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal)
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
    kill
  })
}

/** Starts a TypeScript script, given by its path from the repository root. */
export const startScript = (t: Pick<Test, 'teardown'>, path: string, ...words: string[]) => {
  const program = ['--import', import.meta.resolve('tsx/esm'), join(root, path)]
  return startProcess(t, process.execPath, [...program, ...words], { cwd: root })
}

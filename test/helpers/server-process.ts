import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { temporaryFolder, type Variables } from './app.ts'
import { builtServer } from './production.ts'

export interface ServerProcess {
  /** Everything written so far, to stdout and stderr. */
  readonly output: string
  /** Resolves with the exit code, or null when a signal killed it. */
  readonly exited: Promise<number | null>
  /** Resolves once the output matches; rejects if the process ends first. */
  saw(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

/** Ends the server with the test process, even if a timeout kills that without teardown. */
const endWithParent = ['--import', import.meta.resolve('./end-with-parent.js')]

/** Node arguments that run the built server. Its stdin must be a pipe from the parent process. */
export const serverArguments = async () => [...endWithParent, await builtServer()]

/**
 * Starts the real server as a process with only that environment. It is killed when the test ends.
 * @param nodeArguments the built server's script when omitted
 * @param launcher a command, with arguments, that becomes the server
 */
export async function spawnServer(
  t: Test,
  env: Variables,
  nodeArguments?: readonly string[],
  launcher: readonly string[] = []
): Promise<ServerProcess> {
  const script = nodeArguments ?? [await builtServer()]
  const [command = '', ...others] = [...launcher, process.execPath, ...endWithParent, ...script]
  const child = spawn(command, others, {
    // A folder without a .env file.
    cwd: temporaryFolder(t),
    env,
    stdio: 'pipe'
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      child.emit('output')
    })
  }
  const exited = once(child, 'close').then(() => child.exitCode)
  t.teardown(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    exited,
    get output() {
      return output
    },
    saw: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match === null) return
          child.off('output', look)
          resolve(match)
        }
        child.on('output', look)
        exited.then(code => reject(new Error(`The server ended with ${code} and wrote: ${output}`)))
        look()
      }),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
    kill(signal) {
      child.kill(signal)
    }
  }
}

/** Starts the real server and waits until it listens. `testEnv` creates its `env`. */
export async function startServer(
  t: Test,
  env: Variables,
  nodeArguments?: string[],
  launcher?: readonly string[]
): Promise<ServerProcess & { readonly url: string }> {
  const server = await spawnServer(t, env, nodeArguments, launcher)
  const [, url = ''] = await server.saw(/Server listening at (http:\/\/[^"]+)/)
  return Object.assign(server, { url })
}

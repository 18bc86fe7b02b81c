import type { Test } from 'tap'
import { temporaryFolder, type Variables } from './app.ts'
import { startProcess } from './process.ts'
import { builtServer } from './production.ts'

export type ServerProcess = ReturnType<typeof startProcess>

/** Node arguments that end the server with the test process, even if a timeout kills the test without teardown. */
const endWithParent = ['--import', import.meta.resolve('./end-with-parent.js')]

/**
 * Starts the real server as a process with only this environment. It is killed when the test ends.
 * @param nodeArguments the built server's script when omitted
 * @param launcher a command with arguments that executes the server
 */
export async function spawnServer(
  t: Test,
  env: Variables,
  nodeArguments?: readonly string[],
  launcher: readonly string[] = []
): Promise<ServerProcess> {
  const script = nodeArguments ?? [await builtServer()]
  const [command = '', ...others] = [...launcher, process.execPath, ...endWithParent, ...script]
  // A folder without a .env file.
  return startProcess(t, command, others, { cwd: temporaryFolder(t), env })
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

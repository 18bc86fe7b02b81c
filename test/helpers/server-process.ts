import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder, type Variables } from './app.ts'
import { startProcess } from './process.ts'
import { filesOf, root, run } from './repository.ts'

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
export async function startServer(...parameters: Parameters<typeof spawnServer>) {
  const server = await spawnServer(...parameters)
  const [, url = ''] = await server.saw(/Server listening at (http:\/\/[^"]+)/)
  return Object.assign(server, { url })
}

let built: Promise<string> | undefined

/** Bundles the server, once for all processes until a source changes: it starts four times as fast. @returns its path */
export function builtServer(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  const folder = join(root, 'node_modules/.cache', `server-${stateOfSources()}`)
  if (!existsSync(folder)) {
    const own = `${folder}-${process.pid}`
    await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', own])
    // Keep the bundle of another process that built it at the same time.
    await rename(own, folder).catch(() => rm(own, { recursive: true }))
  }
  return join(folder, 'server.js')
}

/** Returns a hash that changes with the path, time or size of any source file outside of the tests. */
function stateOfSources(): string {
  const state = filesOf(':!test', ':!docs').map(path => {
    const { mtimeMs, size } = statSync(join(root, path))
    return [path, mtimeMs, size]
  })
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)
}

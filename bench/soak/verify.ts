import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Network } from '../processes/network.ts'
import { script } from '../processes/script.ts'
import { serviceEnv } from '../processes/server.ts'

const run = promisify(execFile)

/**
 * Compares each submission of the store with the blocks, by the operator's tool: each must be in exactly one of them.
 * @returns how many match
 * @throws Error with the differences
 */
export async function verify(network: Network, directory: string): Promise<number> {
  const args = [script('dist/operator/cli'), 'verify', '--from', '1']
  const { stdout } = await run(process.execPath, args, {
    cwd: directory,
    env: serviceEnv(network, directory),
    maxBuffer: 100_000_000
  })
  const [, count] = / (\d+) committed submissions? match/.exec(stdout) ?? []
  return Number(count)
}

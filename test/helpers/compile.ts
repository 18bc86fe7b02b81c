import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles a project for this test alone.
 * @param project its configuration, from the root
 * @returns the folder that holds the output, within the project so that the output finds the installed packages
 */
export async function compile(t: Test, project: string): Promise<string> {
  const outDir = t.testdir()
  // tap gives every process that a test starts its own hooks, which the compiler does not survive.
  const command = [
    '-u',
    'NODE_OPTIONS',
    join(root, 'node_modules/.bin/tsc'),
    '-p',
    project,
    '--outDir',
    outDir
  ]
  await promisify(execFile)('env', command, { cwd: root })
  return outDir
}

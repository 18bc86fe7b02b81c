import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles a project for this test alone.
 * @param project its configuration, from the root
 * @param into where the output goes, from a folder that holds package.json as the root does
 * @returns the folder that holds the output
 */
export async function compile(t: Test, project: string, into = '.'): Promise<string> {
  // Within the project, so that the output finds the installed packages.
  const folder = t.testdir({ 'package.json': t.fixture('symlink', join(root, 'package.json')) })
  const outDir = join(folder, into)
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

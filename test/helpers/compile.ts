import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Compiles a project for this test.
 * @param project path of its tsconfig, from the root
 * @returns the folder of the output, inside the repository so that the output finds the installed packages
 */
export async function compile(t: Test, project: string): Promise<string> {
  const outDir = t.testdir()
  const compiler = join(root, 'node_modules/.bin/tsc')
  await promisify(execFile)(compiler, ['-p', project, '--outDir', outDir], { cwd: root })
  return outDir
}

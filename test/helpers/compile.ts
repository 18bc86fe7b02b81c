import { join } from 'node:path'
import type { Test } from 'tap'
import { root, run } from './repository.ts'

/**
 * Compiles a project for this test.
 * @param project path of its tsconfig, from the root
 * @returns the folder of the output, inside the repository so that the output finds the installed packages
 */
export async function compile(t: Test, project: string): Promise<string> {
  const outDir = t.testdir()
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', outDir])
  return outDir
}

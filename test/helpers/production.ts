import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from './app.ts'
import { diskUsage, productionPackages } from './production-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the server into a new folder that has the production packages and nothing else. @returns its `dist` */
export async function buildForProduction(t: Test): Promise<string> {
  const folder = temporaryFolder(t)
  for (const path of productionPackages(root)) {
    const link = join(folder, path)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, path), link)
  }
  const dist = join(folder, 'dist')
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/build.ts', dist], { cwd: root })
  return dist
}

/** In bytes: what is installed and built. */
export function sizeOfProduction(dist: string): number {
  return productionPackages(root).reduce((sum, path) => sum + diskUsage(join(root, path)), diskUsage(dist))
}

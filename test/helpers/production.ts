import { execFile } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from './app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** The folders of the packages that `npm ci --omit=dev` installs on this machine, such as `node_modules/libsql`. */
const productionPackages = Object.entries<{ dev?: true }>(lock.packages)
  .filter(([path, { dev }]) => path !== '' && dev !== true && existsSync(join(root, path)))
  .map(([path]) => path)

/** Builds the server into a new folder that has the production packages and nothing else. @returns its `dist` */
export async function buildForProduction(t: Test): Promise<string> {
  const folder = temporaryFolder(t)
  for (const path of productionPackages) {
    const link = join(folder, path)
    // A package inside another comes with it.
    if (existsSync(link)) continue
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, path), link)
  }
  const dist = join(folder, 'dist')
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/build.ts', dist], { cwd: root })
  return dist
}

/** In bytes, of a file or of everything in a folder. */
function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** In bytes: what is installed and built. */
export function sizeOfProduction(dist: string): number {
  const outermost = productionPackages.filter(path => path.lastIndexOf('node_modules/') === 0)
  return outermost.reduce((sum, path) => sum + sizeOf(join(root, path)), sizeOf(dist))
}

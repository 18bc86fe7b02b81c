import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folders of the packages that the server needs next to its bundle on this machine, such as `node_modules/libsql`. A
 * package inside another is part of that one.
 * @param dist the folder of the bundle, which has the lock file
 */
export function productionPackages(dist: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(dist, 'package-lock.json'), 'utf8'))
  return Object.keys(packages)
    .filter(path => path.lastIndexOf('node_modules/') === 0)
    .filter(path => existsSync(join(root, path)))
}

/** `stat` counts these, whatever the file system's are. */
const BLOCK = 512

/** What a file or everything in a folder takes on the disk, in bytes. */
export function diskUsage(path: string): number {
  const stat = lstatSync(path)
  const names = stat.isDirectory() ? readdirSync(path) : []
  return names.reduce((sum, name) => sum + diskUsage(join(path, name)), stat.blocks * BLOCK)
}

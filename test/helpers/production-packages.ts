import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.ts'

/**
 * Returns the folders of the packages that the server needs next to its bundle on this machine, such as
 * `node_modules/libsql`. Nested packages belong to their outer package.
 * @param dist the folder with the bundle and the lock file
 */
export function productionPackages(dist: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(dist, 'package-lock.json'), 'utf8'))
  return Object.keys(packages)
    .filter(path => path.lastIndexOf('node_modules/') === 0)
    .filter(path => existsSync(join(root, path)))
}

/** Unit of `stat`'s block count, regardless of the file system's block size. */
const BLOCK = 512

/** Returns the disk usage of a file or a folder with its contents, in bytes. */
export function diskUsage(path: string): number {
  const stat = lstatSync(path)
  const names = stat.isDirectory() ? readdirSync(path) : []
  return names.reduce((sum, name) => sum + diskUsage(join(path, name)), stat.blocks * BLOCK)
}

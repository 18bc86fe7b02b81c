import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folders of the packages that `npm ci --omit=dev` installs on this machine, such as `node_modules/libsql`. A package
 * inside another is part of that one. A link is the workspace, a tool for development.
 * @param root the folder of the repository
 */
export function productionPackages(root: string): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries<{ dev?: true; link?: true }>(lock.packages)
    .filter(
      ([path, { dev, link }]) => path.lastIndexOf('node_modules/') === 0 && dev !== true && link !== true
    )
    .map(([path]) => path)
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

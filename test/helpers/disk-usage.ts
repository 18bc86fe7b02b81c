import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Unit of `stat`'s block count, regardless of the file system's block size. */
const BLOCK = 512

/** Returns the disk usage of a file or a folder with its contents, in bytes. */
export function diskUsage(path: string): number {
  const stat = lstatSync(path)
  const names = stat.isDirectory() ? readdirSync(path) : []
  return names.reduce((sum, name) => sum + diskUsage(join(path, name)), stat.blocks * BLOCK)
}

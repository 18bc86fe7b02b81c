import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'

/**
 * Returns functions that block and unblock writes to files in this process. Blocked writes fail as on a full disk, with
 * EFBIG instead of ENOSPC. Needs Linux's `prlimit`, but no privileges, unlike mounting a small file system.
 */
export function createFileSizeLimit(t: Test): { full(): void; free(): void } {
  // SIGXFSZ, which comes with EFBIG, ends the process by default.
  const ignore = () => {}
  process.on('SIGXFSZ', ignore)
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`])
  const free = () => void limit('unlimited')
  t.teardown(() => {
    free()
    process.off('SIGXFSZ', ignore)
  })
  return { full: () => void limit('1'), free }
}

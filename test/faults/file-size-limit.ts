import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'

/**
 * Stops this process from writing to files, and lets it write again. Writes fail as on a full disk, with EFBIG instead
 * of ENOSPC. This needs Linux's `prlimit`, but no privileges, unlike mounting a small file system.
 */
export function createFileSizeLimit(t: Test): { full(): void; free(): void } {
  // By default, the signal that comes with EFBIG ends the process.
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

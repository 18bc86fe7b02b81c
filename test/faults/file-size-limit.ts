import { execFileSync } from 'node:child_process'
import type { Test } from 'tap'

/**
 * Lets this process write to no file any more, and again. The system refuses the writes as a full disk does, though
 * with EFBIG in place of ENOSPC; unlike a small file system of its own it needs no privileges, only Linux's `prlimit`.
 */
export function createFileSizeLimit(t: Test): { full(): void; free(): void } {
  // The default for the signal that comes with the refusal would end the process.
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

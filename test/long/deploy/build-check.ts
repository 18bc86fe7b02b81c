import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../../helpers/app.ts'

/** Compiles `check/`, which reads manifests with the code of Docker Compose and Kubernetes, and prints them as JSON. */
export function buildCheck(t: Test) {
  const program = join(temporaryFolder(t), 'check')
  execFileSync('go', ['build', '-o', program, '.'], {
    cwd: join(import.meta.dirname, 'check'),
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'auto' }
  })
  return (kind: 'compose' | 'kubernetes', ...paths: string[]) =>
    spawnSync(program, [kind, ...paths], { encoding: 'utf8', maxBuffer: 2 ** 26 })
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { loadConfig } from '../../../config/index.ts'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { temporaryFolder, type Variables } from '../../helpers/app.ts'
import { read, root } from '../../helpers/repository.ts'

export const pathOf = (path: string) => join(root, path)

/** Builds the `check` program. @returns a function that runs it, and throws if the manifests are wrong */
export function buildCheck(t: Test): (kind: 'compose' | 'kubernetes', ...paths: string[]) => unknown {
  const program = join(temporaryFolder(t), 'check')
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOTOOLCHAIN: 'auto' }
  const folder = join(import.meta.dirname, 'check')
  // Locks the folder, so that tests that run in parallel reuse the compiled program.
  execFileSync('flock', [folder, 'go', 'build', '-o', program, '.'], { cwd: folder, env })
  return (kind, ...paths) =>
    JSON.parse(
      execFileSync(program, [kind, ...paths], { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 })
    )
}

export function stopSeconds(): number {
  const [, grace = ''] = /const graceMs = ([\d_]+)/.exec(read('server.ts')) ?? []
  return Number(grace.replaceAll('_', '')) / 1000
}

const secrets: Variables = {
  mnemonic: DEVELOPMENT_WALLET,
  'database-url': 'postgres://service:development@postgres/service'
}

/** Loads the configuration as a server does, with a file for each secret. */
export function configOf(t: Test, variables: Variables) {
  const folder = temporaryFolder(t)
  const entries = Object.entries(variables).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value]
    const secret = value.split('/').at(-1) ?? ''
    const path = join(folder, secret)
    writeFileSync(path, secrets[secret] ?? '')
    return [name, path]
  })
  return loadConfig(Object.fromEntries(entries))
}

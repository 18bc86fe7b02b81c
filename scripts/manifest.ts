import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const { type, imports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Packages installed next to the bundle, because they contain static files or native code, or because custom
 * validations import them.
 */
const installed = ['@fastify/swagger-ui', 'fastify-plugin', 'libsql']

/** Writes the bundle's `package.json`, and a `package-lock.json` with the same versions as the repository. */
export function writeManifest(folder: string): void {
  const manifest = {
    type,
    imports,
    dependencies: Object.fromEntries(installed.map(name => [name, dependencies[name]]))
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  const options = ['--package-lock-only', '--offline', '--no-audit', '--no-fund']
  execFileSync('npm', ['prune', '--prefix', folder, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
}

import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { type, imports, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packages that are installed next to the bundle: static files, what validations of integrators import, native code. */
const installed = ['@fastify/swagger-ui', 'fastify-plugin', 'libsql']

/** Writes the `package.json` of the bundle to its folder, and a `package-lock.json` with the versions of the sources. */
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

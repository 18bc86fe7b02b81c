import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { btcdBinary, buildFolder, chainBinary, sdks } from './binary.ts'

/** `npm run build:chain [-- BRAND]`: builds the chain on both SDKs, and btcd, unless the sources are unchanged. */
const source = fileURLToPath(new URL('chain/', import.meta.url))
const stamp = join(buildFolder, 'stamp')
const brand = process.argv[2] ?? 'service'

// All commands have the same flags, so that vet and build share compiled packages.
const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false -trimpath', GOTOOLCHAIN: 'auto' }

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function go(folder: string, ...args: string[]): void {
  process.stdout.write(`go ${args.join(' ')} (${folder})\n`)
  const cwd = join(source, folder)
  const { status } = spawnSync('go', args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) fail('Building the real chain failed.')
}

/** Lists the sources that are not generated. */
function writtenFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(go|proto|mod|sum)$/.test(name) && !/\.pb\.go$/.test(name))
    .toSorted()
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256').update(`${brand}\n`)
  for (const name of files) hash.update(`${name}\n`).update(readFileSync(join(source, name)))
  return hash.digest('hex')
}

function requireGo(): void {
  const { status } = spawnSync('go', ['version'])
  if (status === 0) return
  fail('Building the real chain needs Go 1.24 or newer; install it from https://go.dev/doc/install')
}

/** The module of each build. SDK 0.53 has its own; it compiles the shared packages with its versions. */
const modules = { '0.47': '.', '0.53': 'sdk-0.53' }

function build(): void {
  go('.', 'run', './generate', brand)
  for (const sdk of sdks) {
    const shared = ['app', 'request', 'swap', 'transaction'].map(name => `realchain/${name}`)
    go(modules[sdk], 'vet', './...', ...shared)
    const flags = `-s -w -X realchain/app.Brand=${brand}`
    go(modules[sdk], 'build', '-ldflags', flags, '-o', chainBinary(sdk), `realchain/sdk-${sdk}`)
  }
  go('bitcoin', 'build', '-ldflags', '-s -w', '-o', btcdBinary, 'github.com/btcsuite/btcd')
}

const hash = hashOf(writtenFiles())
const current =
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === hash &&
  [btcdBinary, ...sdks.map(chainBinary)].every(existsSync)
if (current) {
  process.stdout.write('The real chain is already built.\n')
} else {
  requireGo()
  const unformatted = execFileSync('gofmt', ['-l', '.'], { cwd: source, encoding: 'utf8' })
  if (unformatted !== '') fail(`not formatted by gofmt: ${unformatted}`)
  mkdirSync(buildFolder, { recursive: true })
  build()
  writeFileSync(stamp, hash)
}

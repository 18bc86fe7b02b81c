import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { btcdBinary, chainBinary, sdks } from './binary.ts'

/** `npm run build:chain [-- BRAND]`: builds the chain on both SDKs, and btcd. Go compiles only what has changed. */
const source = fileURLToPath(new URL('chain/', import.meta.url))
const [brand = 'service'] = process.argv.slice(2)

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

/** The module of each build. SDK 0.53 has its own; it compiles the shared packages with its versions. */
const modules = { '0.47': '.', '0.53': 'sdk-0.53' }

if (spawnSync('go', ['version']).status !== 0)
  fail('Building the real chain needs Go 1.24 or newer; install it from https://go.dev/doc/install')
const unformatted = execFileSync('gofmt', ['-l', '.'], { cwd: source, encoding: 'utf8' })
if (unformatted !== '') fail(`not formatted by gofmt: ${unformatted}`)
go('.', 'run', './generate', brand)
for (const sdk of sdks) {
  go(modules[sdk], 'vet', './...', 'realchain/app', 'realchain/request')
  const flags = `-s -w -X realchain/app.Brand=${brand}`
  go(modules[sdk], 'build', '-ldflags', flags, '-o', chainBinary(sdk), `realchain/sdk-${sdk}`)
}
go('bitcoin', 'build', '-ldflags', '-s -w', '-o', btcdBinary, 'github.com/btcsuite/btcd')

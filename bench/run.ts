import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { source } from './processes/script.ts'

/**
 * `npm run bench`: builds the server, compiles development network and benchmarks, and runs them as plain
 * JavaScript. A loader such as tsx makes some packages several times slower, which would distort the comparisons.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
// Inside the repository, so that the compiled files find the installed packages.
const folder = mkdtempSync(join(cache, 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const run = (args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
run([join(root, 'node_modules/typescript/bin/tsc'), '-p', 'bench/tsconfig.build.json', '--outDir', folder])
// The server as it runs in production, which is what is measured.
run([...source('scripts/build'), join(folder, 'dist')])

const cli = spawn(process.execPath, [join(folder, 'bench/cli.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit'
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cli.kill(signal))
await once(cli, 'exit')
process.exitCode = cli.exitCode ?? 1

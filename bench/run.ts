import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench`: compiles server, development network and benchmarks, and runs them as plain JavaScript. A loader
 * such as tsx makes some packages several times slower, which would distort the comparisons.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
// Inside the repository, so that the compiled files find the installed packages.
const folder = mkdtempSync(join(cache, 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const compile = ['-p', 'bench/tsconfig.build.json', '--outDir', folder]
execFileSync(join(root, 'node_modules/.bin/tsc'), compile, { cwd: root, stdio: 'inherit' })

const cli = spawn(process.execPath, [join(folder, 'bench/cli.js'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit'
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cli.kill(signal))
await once(cli, 'exit')
process.exitCode = cli.exitCode ?? 1

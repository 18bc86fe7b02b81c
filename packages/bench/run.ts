import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * `npm run bench`: builds the server, bundles the development network and the benchmarks, and runs them as plain
 * JavaScript. A loader such as tsx makes some packages several times slower, which would distort the comparisons.
 */
const root = join(import.meta.dirname, '../..')
const cache = join(root, 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
// Write the bundles inside the repository, so that they can import the installed packages.
const folder = mkdtempSync(join(cache, 'bench-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Runs a command and returns its exit code. */
async function run(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', stop).on('SIGTERM', stop)
  await once(child, 'exit')
  process.off('SIGINT', stop).off('SIGTERM', stop)
  return child.exitCode ?? 1
}

await build({
  absWorkingDir: root,
  entryPoints: ['cli.ts', 'processes/*-process.ts', 'processes/usage.ts'].map(
    name => `packages/bench/${name}`
  ),
  outdir: folder,
  entryNames: '[name]',
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19'
})
// Measure the server as it runs in production.
process.exitCode =
  (await run(['--import', 'tsx', 'scripts/build.ts', join(folder, 'dist')])) ||
  (await run([join(folder, 'cli.js'), ...process.argv.slice(2)]))

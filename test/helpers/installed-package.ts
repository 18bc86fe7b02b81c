import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from './app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command as users do, including npm's scripts, which `.ci/run` disables. */
const run = async (cwd: string, command: string, ...words: string[]): Promise<string> => {
  const { npm_config_ignore_scripts: _, ...env } = process.env
  return (await promisify(execFile)(command, words, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout
}

export interface InstalledPackage {
  /** The folder with the installation. */
  readonly folder: string
  /** The package's own folder. */
  readonly path: string
  /** Installs more packages in the same folder. */
  add(...packages: string[]): Promise<void>
  /** Runs the compiler on a project in `folder`. */
  compile(options: object): Promise<void>
}

/** Packs the package and installs it, without development dependencies, into an empty folder. Needs the registry. */
export async function installPackage(t: Test): Promise<InstalledPackage> {
  const folder = temporaryFolder(t)
  await run(root, 'npm', 'run', 'package', '--', folder)
  const [filename] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const add = async (...packages: string[]) => {
    await run(folder, 'npm', 'install', '--omit=dev', '--no-audit', '--no-fund', ...packages)
  }
  await add(`./${filename}`)
  return {
    folder,
    path: join(folder, 'node_modules/transaction-back-end'),
    add,
    async compile(compilerOptions) {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      await run(folder, join(root, 'node_modules/.bin/tsc'))
    }
  }
}

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryFolder } from '../../helpers/app.ts'
import { root, run, usersEnvironment } from '../../helpers/repository.ts'

export interface InstalledPackage {
  /** The folder into which the package is installed. */
  readonly folder: string
  /** The package's folder in `node_modules`. */
  readonly path: string
  /** Installs more packages in the same folder. */
  add(...packages: string[]): Promise<void>
  /** Compiles the TypeScript project in `folder`. */
  compile(options: object): Promise<void>
}

/** Packs the package and installs it without development dependencies in an empty folder. Needs an npm registry. */
export async function installPackage(t: Test): Promise<InstalledPackage> {
  const folder = temporaryFolder(t)
  const env = usersEnvironment()
  await run('npm', ['run', 'package', '--', folder], { env })
  const [filename] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const add = async (...packages: string[]) => {
    await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', ...packages], { cwd: folder, env })
  }
  await add(`./${filename}`)
  return {
    folder,
    path: join(folder, 'node_modules/transaction-back-end'),
    add,
    async compile(compilerOptions) {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      await run(join(root, 'node_modules/.bin/tsc'), [], { cwd: folder })
    }
  }
}

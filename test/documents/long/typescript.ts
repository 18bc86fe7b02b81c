import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { read, root, run as runIn } from '../../helpers/repository.ts'
import type { Test } from '../../helpers/tap.ts'

/** Maps the import names of this project's packages to their sources. */
function ownPackages(): Record<string, string[]> {
  const entries = ['.', 'packages/client'].flatMap(folder => {
    const { name, exports } = JSON.parse(read(`${folder}/package.json`))
    return Object.entries<string | { default: string }>(exports).flatMap(([path, target]) =>
      typeof target === 'string'
        ? []
        : [[join(name, path), [join(root, folder, target.default.replace('dist/', '').replace(/js$/, 'ts'))]]]
    )
  })
  return Object.fromEntries(entries)
}

export type Project = ReturnType<typeof createProject>

/** Creates an empty project with this package and its development dependencies. */
export function createProject(t: Test) {
  const folder = temporaryFolder(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = {
    lib: ['es2023', 'dom', 'dom.asynciterable', 'dom.iterable'],
    paths: ownPackages(),
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false
  }
  // Include the plugins, because they declare the Fastify decorators that the sources use.
  const include = ['program-*.mts', join(root, 'plugins')]
  const content = { extends: join(root, 'tsconfig.json'), compilerOptions, include }
  writeFileSync(config, JSON.stringify(content))
  let programs = 0
  /** Environment variables that let the project's programs import the package. */
  const environment = { TSX_TSCONFIG_PATH: config }
  const run = async (command: string, ...words: string[]) => {
    const env = { ...process.env, ...environment }
    try {
      return await runIn(command, words, { cwd: folder, env })
    } catch (error) {
      const { stdout, stderr } = Object.assign({ stdout: '', stderr: String(error) }, error)
      throw new Error(`${stdout}${stderr}`)
    }
  }
  return {
    folder,
    environment,
    /** Adds a program. @returns its file name */
    add(program: string) {
      programs += 1
      const name = `program-${programs}.mts`
      writeFileSync(join(folder, name), `${program}\nexport {}\n`)
      return name
    },
    /** Checks the types of all programs in strict mode. @throws Error with the compiler's output */
    compile: () => run(join(root, 'node_modules/.bin/tsc')),
    /** Runs a program. @returns its stdout @throws Error with its output if it fails */
    run: (name: string) => run(process.execPath, '--import', import.meta.resolve('tsx/esm'), name)
  }
}

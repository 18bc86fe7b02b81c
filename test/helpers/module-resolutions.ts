import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './repository.ts'

/** The module systems of a TypeScript project, with the way in which each finds a package's types. */
const MODULES = [
  { module: 'esnext', moduleResolution: 'node10' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' }
]

/** The defaults of all others also for node10: declarations of packages rely on them. */
const common = { esModuleInterop: true, noEmit: true }

/** The newest compiler that supports all of them. */
const compiler = join(root, 'scripts/client-types/node_modules/.bin/tsc')

/** The strictest settings, which also check the declaration files of packages. */
const strict = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false
}

/**
 * Compiles the programs in a folder to JavaScript, and with each module resolution of their users.
 * @param options further compiler options
 * @throws on the first error
 */
export async function compileWithEachResolution(folder: string, options: object): Promise<void> {
  const compilerOptions = { ...strict, ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await run(join(root, 'node_modules/.bin/tsc'), [], { cwd: folder })
  for (const modules of MODULES) {
    const config = join(folder, `tsconfig.${modules.moduleResolution}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, ...modules, ...common } }))
    await run(compiler, ['-p', config], { cwd: folder })
  }
}

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

/** Compiles the programs in a folder with each module resolution, without output. @throws on the first error */
export async function compileWithEachResolution(folder: string, compilerOptions: object): Promise<void> {
  for (const modules of MODULES) {
    const config = join(folder, `tsconfig.${modules.moduleResolution}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, ...modules, ...common } }))
    await run(compiler, ['-p', config], { cwd: folder })
  }
}

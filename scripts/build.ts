import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { bundledPackages, thirdPartyLicences } from './bundled-packages.ts'

/** `npm run build`: writes what is installed to `dist/`, or to the folder that is its argument, which must be empty. */
const root = fileURLToPath(new URL('..', import.meta.url))
const [given] = process.argv.slice(2)
const folder = given ?? join(root, 'dist')
// A plugin that no longer exists would still be loaded.
if (given === undefined) rmSync(folder, { recursive: true, force: true })

const packages = bundledPackages(await bundle(folder))
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packages))

/** The declarations of the package's interface. `npm run check` checks the types, so other files are not read here. */
const declarations = mkdtempSync(join(tmpdir(), 'declarations-'))
const { NODE_OPTIONS: _, ...env } = process.env
execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.types.json', '--outDir', declarations], {
  cwd: root,
  env,
  stdio: 'inherit'
})
cpSync(join(declarations, 'index.d.ts'), join(folder, 'index.d.ts'))
rmSync(declarations, { recursive: true })

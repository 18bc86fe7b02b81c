import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundledPackages, thirdPartyLicences } from './bundled-packages.ts'

/**
 * Builds the client package into its `dist/`, or into the folder given as argument: one self-contained file per export,
 * and the declarations.
 */
const root = join(import.meta.dirname, '..')
const [folder = join(root, 'packages/client/dist')] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['packages/client/index.ts', 'packages/client/webhooks.ts'],
  outdir: folder,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning'
})
const compiler = join(root, 'node_modules/.bin/tsc')
execFileSync(compiler, ['-p', join(root, 'packages/client/tsconfig.types.json'), '--outDir', folder], {
  stdio: 'inherit'
})

/** Packages that the declarations import. Includes their declarations, so that users need not install them. */
const declared = ['openapi-fetch', 'openapi-typescript-helpers']
const outputs = { ...metafile.outputs }
for (const name of declared) {
  const input = join('node_modules', name, 'dist/index.d.mts')
  const text = readFileSync(join(root, input), 'utf8').replace(/(?<=from ')[a-z-]+(?=')/g, other =>
    declared.includes(other) ? `./${other}.js` : other
  )
  writeFileSync(join(folder, `${name}.d.ts`), text)
  const bytes = Buffer.byteLength(text)
  outputs[`${name}.d.ts`] = { bytes, inputs: { [input]: { bytesInOutput: bytes } }, imports: [], exports: [] }
}

const packages = bundledPackages({ inputs: {}, outputs })
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packages))
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { bundlePlayground } from './bundle-playground.ts'
import { bundledPackages, thirdPartyLicences } from './bundled-packages.ts'
import { writeManifest } from './manifest.ts'
import { settingsTypes } from './settings-types.ts'

/**
 * Writes the output of `npm run build`, except the compiler's declarations, to `dist/` or to the folder given as
 * argument. The folder must be empty.
 */
const root = join(import.meta.dirname, '..')
const [given] = process.argv.slice(2)
const folder = given ?? join(root, 'dist')
// The server would load the leftover file of a removed plugin.
if (given === undefined) rmSync(folder, { recursive: true, force: true })

const server = await bundle(folder)
const playground = await bundlePlayground()
mkdirSync(join(folder, 'playground'))
for (const [name, content] of playground.files) writeFileSync(join(folder, 'playground', name), content)

const packages = bundledPackages(server, playground.metafile)
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packages))
writeManifest(folder)
mkdirSync(join(folder, 'config'), { recursive: true })
writeFileSync(join(folder, 'config/index.d.ts'), settingsTypes())

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleInputs } from './bundle.ts'
import { bundlePlayground } from './bundle-playground.ts'
import { bundledPackages } from './bundled-packages.ts'
import { writeManifest } from './manifest.ts'

/**
 * `npm run sbom`: writes the bill of materials (CycloneDX) to `dist/sbom.cdx.json`, or to the file given as argument.
 * Lists the bundled packages and the packages installed alongside the bundle.
 */
const root = join(import.meta.dirname, '..')
const [file = join(root, 'dist/sbom.cdx.json')] = process.argv.slice(2)

interface Component {
  'bom-ref': string
  scope: string
  properties: { name: string; value: string }[]
}

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// Read the lock file, because node_modules might contain further packages. .npmrc leaves out peers, also pg-pool's pg.
const options = ['--package-lock-only', '--include=peer', '--sbom-format=cyclonedx']
const sbom = JSON.parse(
  execFileSync('npm', ['sbom', ...options, '--sbom-type=application'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024
  })
)
const bundled = new Set(
  bundledPackages(await bundleInputs(), (await bundlePlayground()).metafile).map(
    ({ name, version }) => `${name}@${version}`
  )
)

/** Returns the packages installed alongside the bundle, on all platforms. */
function installedPackages(): Set<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'))
  try {
    writeManifest(folder)
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    return new Set(
      Object.entries<{ version: string }>(packages).map(
        ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`
      )
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Marks a component as bundled: required, and not a development dependency. */
const asBundled = (component: Component): Component => ({
  ...component,
  scope: 'required',
  properties: [
    ...component.properties.filter(property => property.name !== 'cdx:npm:package:development'),
    { name: 'cdx:npm:package:bundled', value: 'true' }
  ]
})

const installed = installedPackages()
const all: Component[] = sbom.components
const shipped = all
  .filter(component => bundled.has(component['bom-ref']) || installed.has(component['bom-ref']))
  .map(component => (bundled.has(component['bom-ref']) ? asBundled(component) : component))
const refs = new Set(shipped.map(component => component['bom-ref']))
const unknown = [...bundled].filter(ref => !refs.has(ref))
if (unknown.length > 0) throw new Error(`In the bundle, but not in package-lock.json: ${unknown.join(', ')}`)

interface Dependency {
  ref: string
  dependsOn: string[]
}

const own = sbom.metadata.component['bom-ref']
const graph: Dependency[] = sbom.dependencies
const kept = graph
  .filter(({ ref }) => ref === own || refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }))
// List a package as a dependency of this package if no listed package depends on it.
const reached = new Set(kept.flatMap(({ dependsOn }) => dependsOn))
const dependencies = kept.map(({ ref, dependsOn }) =>
  ref === own
    ? { ref, dependsOn: [...dependsOn, ...[...refs].filter(other => !reached.has(other))] }
    : { ref, dependsOn }
)

// npm names the component after the folder.
const component = { ...sbom.metadata.component, name }
const shippedSbom = { ...sbom, metadata: { ...sbom.metadata, component }, components: shipped, dependencies }
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(shippedSbom, null, 2)}\n`)

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { bundleInputs } from '../../../scripts/bundle.ts'
import { bundlePlayground } from '../../../scripts/bundle-playground.ts'
import { bundledPackages, thirdPartyLicences } from '../../../scripts/bundled-packages.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { buildForProduction } from '../../helpers/production.ts'
import { productionPackages } from '../../helpers/production-packages.ts'
import { read, run } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

function packageIn(folder: string): string {
  const { name, version } = JSON.parse(read(`${folder}/package.json`))
  return `${name}@${version}`
}

/** The metadata that esbuild reports for the bundle, read independently of the code under test. */
const { outputs } = await bundleInputs()
const playground = (await bundlePlayground()).metafile
const bundled = new Set(
  Object.values({ ...outputs, ...playground.outputs })
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => path.includes('node_modules/') && bytesInOutput > 0)
    .map(([path]) => {
      const [scopeOrName = '', name = ''] = path.slice(path.lastIndexOf('node_modules/') + 13).split('/')
      const folder = scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName
      return packageIn(path.slice(0, path.lastIndexOf('node_modules/') + 13) + folder)
    })
)

/** Loads the CycloneDX schema that ships with its library, and the schemas that it references. */
function schemaOf(version: string) {
  const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'))
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(library, `res/schema/${name}.schema.json`), 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  for (const name of ['spdx.SNAPSHOT', 'jsf-0.82.SNAPSHOT'])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.schema.json`)
  return ajv.compile(schema(`bom-${version}.SNAPSHOT`))
}

test('the bundle ships with the licences of all its packages', async t => {
  const text = thirdPartyLicences(bundledPackages({ inputs: {}, outputs }, playground))
  t.ok(bundled.size > 50, `${bundled.size} packages`)
  const missing = [...bundled].filter(each => !text.includes(`\n${each} (`))
  t.same(missing, [])
  t.equal(text.match(/^={80}$/gm)?.length, bundled.size)
})

test('the bill of materials lists exactly the shipped packages', async t => {
  const file = join(temporaryFolder(t), 'sbom.json')
  await run(process.execPath, ['--import', 'tsx', 'scripts/write-sbom.ts', file])
  const sbom = JSON.parse(readFileSync(file, 'utf8'))

  const validate = schemaOf(sbom.specVersion)
  t.ok(validate(sbom), JSON.stringify(validate.errors))
  t.notOk(
    validate({ ...sbom, components: [{ name: 'without a type' }] }),
    'the schema rejects an invalid component'
  )

  interface Component {
    'bom-ref': string
    properties: { name: string }[]
  }
  const components: Component[] = sbom.components
  const having = (property: string) =>
    components
      .filter(({ properties }) => properties.some(({ name }) => name === `cdx:npm:package:${property}`))
      .map(component => component['bom-ref'])
  t.same(having('bundled').sort(), [...bundled].sort())
  t.same(having('development'), [])

  const listed = new Set(components.map(component => component['bom-ref']))
  const installed = productionPackages(await buildForProduction(t)).map(packageIn)
  t.ok(installed.length > 0)
  t.same(
    installed.filter(each => !listed.has(each)),
    []
  )

  const { name, version } = JSON.parse(read('package.json'))
  t.match(sbom.metadata.component, { name, version, licenses: [{ license: { id: 'MIT' } }] })

  interface Dependency {
    ref: string
    dependsOn: string[]
  }
  const graph: Dependency[] = sbom.dependencies
  const reached = new Set(graph.flatMap(({ dependsOn }) => dependsOn))
  t.same([...reached].sort(), [...listed].sort(), 'every listed package is reachable as a dependency')
})

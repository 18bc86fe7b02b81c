import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundledPackages, thirdPartyLicences } from '../../scripts/bundled-packages.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { root } from '../helpers/repository.ts'
import { type Test, test } from '../helpers/tap.ts'

/** Creates a package with these files, and the metadata of a bundle that contains one of the files. */
function bundleWith(t: Test, manifest: object, files: Record<string, string> = {}, bytesInOutput = 1) {
  const folder = join(temporaryFolder(t), 'node_modules/@scope/name')
  mkdirSync(folder, { recursive: true })
  const named = { name: '@scope/name', version: '1.2.3', ...manifest }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(named))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const inputs = {
    [relative(root, join(folder, 'lib/index.js'))]: { bytesInOutput },
    'services/own.ts': { bytesInOutput: 1 }
  }
  return { inputs: {}, outputs: { 'server.js': { bytes: 2, inputs, imports: [], exports: [] } } }
}

test('a bundled package is listed with its licence and notice', async t => {
  const code = { 'license-check.js': 'code', 'index.js': 'code' }
  const files = { 'LICENSE.md': 'The text', NOTICE: 'The notice', ...code }
  const packages = bundledPackages(bundleWith(t, { license: 'Apache-2.0' }, files))
  t.match(packages, [{ name: '@scope/name', version: '1.2.3', licence: 'Apache-2.0' }])
  t.match(thirdPartyLicences(packages), '@scope/name@1.2.3 (Apache-2.0)\n\nThe text\n\nThe notice\n')
  t.notMatch(thirdPartyLicences(packages), 'x()')
})

test('a package that only refers to the Apache licence is listed with its text', async t => {
  const readme = '# Name\n\n## License\n\nLicensed under the Apache License\n2.0 (see NOTICE).\n'
  const [only] = bundledPackages(bundleWith(t, { license: 'Apache-2.0' }, { 'README.md': readme }))
  t.match(only?.notice, /^Licensed under the Apache License\n2\.0 \(see NOTICE\)\.\n\n\s*Apache License\n/)
  t.throws(() => bundledPackages(bundleWith(t, { license: 'Apache-2.0' })), /has no licence text/)
})

test('the build fails for a licence that is not allowed and for a missing licence text', async t => {
  const text = { LICENSE: 'The text' }
  const copyleft = bundleWith(t, { license: 'GPL-3.0-only' }, text)
  t.throws(() => bundledPackages(copyleft), /its licence is "GPL-3.0-only"/)
  t.throws(() => bundledPackages(bundleWith(t, {}, text)), /@scope\/name@1\.2\.3 .* its licence is undefined/)
  t.same(bundledPackages(bundleWith(t, {}, {}, 0)), [], 'without code in the bundle')
})

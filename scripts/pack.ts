import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Packs the output of `npm run build` and `npm run sbom`, with the documents, into the folder given as argument or the
 * current folder. The package depends only on packages outside the bundle.
 */
const root = join(import.meta.dirname, '..')
const [destination = '.'] = process.argv.slice(2)
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const npm = (...words: string[]) =>
  execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const staging = mkdtempSync(join(tmpdir(), 'package-'))
try {
  const [{ files }] = JSON.parse(npm('pack', '--dry-run', '--json', '--ignore-scripts'))
  for (const { path } of files) cpSync(join(root, path), join(staging, path))
  const { name, version, description, license, type, main, types, exports, bin, engines, ...needs } =
    readJson('package.json')
  const manifest = {
    name,
    version,
    private: true,
    description,
    license,
    type,
    main,
    types,
    exports,
    bin,
    engines,
    dependencies: readJson('dist/package.json').dependencies,
    // The Fastify package of a program that embeds the service. The server uses the bundled copy.
    peerDependencies: { fastify: needs.dependencies.fastify, ...needs.peerDependencies },
    peerDependenciesMeta: { fastify: { optional: true }, ...needs.peerDependenciesMeta }
  }
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  // Remove the README parts about scripts, which the package does not contain.
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const packed = readme.replace(/<!-- of the repository -->.*?<!-- end -->\n+/gs, '')
  writeFileSync(join(staging, 'README.md'), packed)
  process.stdout.write(npm('pack', staging, '--pack-destination', destination, '--loglevel=error'))
} finally {
  rmSync(staging, { recursive: true })
}

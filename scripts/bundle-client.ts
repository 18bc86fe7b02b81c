import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

const options = (folder: string) =>
  ({
    absWorkingDir: root,
    entryPoints: ['packages/client/index.ts'],
    outdir: join(folder, 'packages/client'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning'
  }) satisfies BuildOptions

/** Packages that the client's declarations name, so that its users would need them. */
const declarations = ['openapi-fetch', 'openapi-typescript-helpers']

/** The declarations of these packages, beside those that the compiler writes for the client. */
const copies = (folder: string) =>
  declarations.map(name => {
    const input = join('node_modules', name, 'dist/index.d.mts')
    const text = readFileSync(join(root, input), 'utf8')
    const linked = text.replace(/from '([a-z-]+)'/g, (whole, other) =>
      declarations.includes(other) ? `from './${other}.js'` : whole
    )
    return { input, path: join(folder, 'packages/client', `${name}.d.ts`), text: linked }
  })

/** What the files of the client consist of, the declarations too. */
function withCopies(metafile: Metafile, folder: string): Metafile['outputs'] {
  const outputs = copies(folder).map(({ input, path, text }) => {
    const bytes = Buffer.byteLength(text)
    return [path, { bytes, inputs: { [input]: { bytesInOutput: bytes } }, imports: [], exports: [] }]
  })
  return { ...metafile.outputs, ...Object.fromEntries(outputs) }
}

/** Bundles the client with its packages into one file, `packages/client/index.js`, for browsers and for Node. */
export async function bundleClient(folder: string): Promise<Metafile['outputs']> {
  const { metafile } = await build(options(folder))
  for (const { path, text } of copies(folder)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return withCopies(metafile, folder)
}

/** What the client would consist of; nothing is written. */
export async function clientInputs(): Promise<Metafile['outputs']> {
  const folder = join(root, 'dist')
  const { metafile } = await build({ ...options(folder), write: false })
  return withCopies(metafile, folder)
}

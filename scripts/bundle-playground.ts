import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { readAdvice } from './read-advice.ts'

const root = join(import.meta.dirname, '..')

/** Bundles only the part of docs/errors.md that describes the error codes. */
const errorsAdvice: Plugin = {
  name: 'errors-advice',
  setup({ onLoad }) {
    onLoad({ filter: /\/docs\/errors\.md$/ }, ({ path }) => ({
      contents: JSON.stringify(readAdvice(readFileSync(path, 'utf8'))),
      loader: 'json'
    }))
  }
}

const options = {
  absWorkingDir: root,
  entryPoints: ['main.tsx', 'styles/main.css', 'favicon.svg'].map(path => `packages/playground/${path}`),
  outdir: join(root, 'dist/playground'),
  // A hash in the name lets browsers cache the file indefinitely.
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome123', 'firefox120', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  // THIRD-PARTY-LICENSES.txt contains the licences.
  legalComments: 'none',
  plugins: [errorsAdvice],
  metafile: true,
  write: false,
  logLevel: 'warning'
} satisfies BuildOptions

/** Bundles the page served at /playground, without writing files. Returns them by name: `index.html` references the others. */
export async function bundlePlayground() {
  const { outputFiles, metafile } = await build(options)
  const files = new Map<string, Uint8Array>(
    outputFiles.map(({ path, contents }) => [basename(path), contents])
  )
  const nameOf = new Map(
    Object.entries(metafile.outputs).map(([path, { entryPoint = '' }]) => [entryPoint, basename(path)])
  )
  const template = readFileSync(join(root, 'packages/playground/index.html'), 'utf8')
  const html = template.replace(/(?<=(?:href|src)=")\.\/(.*?)(?=")/g, (_, path: string) => {
    const name = nameOf.get(`packages/playground/${path}`)
    if (name === undefined)
      throw new Error(`packages/playground/index.html references ${path}, which is not in the bundle`)
    return `playground/${name}`
  })
  return { files: files.set('index.html', new TextEncoder().encode(html)), metafile }
}

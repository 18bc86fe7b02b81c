import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

const { imports, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Native code, static files, and what is loaded only where it is installed. */
const external = [
  ...['libsql', '@fastify/swagger-ui', 'pino-pretty', 'pg-native'],
  ...Object.keys(peerDependencies)
]

/** Files that the application loads by their path. */
const loadedByPath = ['plugins', 'routes'].flatMap(name =>
  readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .filter(
      path =>
        path.endsWith('.ts') &&
        (name === 'plugins' ? path.includes('/') : /(index|autohooks)\.ts$/.test(path))
    )
    .map(path => join(name, path))
)

/** One module with all of these, because each file costs a millisecond of the start, and parts that they share another. */
const PARTS = 'parts'
const parts: Plugin = {
  name: 'parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^parts$/ }, ({ path }) => ({ path, namespace: PARTS }))
    onLoad({ filter: /.*/, namespace: PARTS }, () => ({
      contents: loadedByPath
        .map((path, index) => `export { default as part${index} } from './${path}'`)
        .join('\n'),
      resolveDir: root
    }))
  }
}

/** Maps are read at the start, and those of packages are most of all that there are. */
const withoutMapsOfPackages: Plugin = {
  name: 'without-maps-of-packages',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`,
      loader: 'default'
    }))
  }
}
/**
 * Of undici the server uses a pool of connections. Its index brings fetch and all around it as well, three quarters of it,
 * and Node's own copy of that.
 */
const poolOfUndici: Plugin = {
  name: 'pool-of-undici',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/undici\/index\.js$/ }, () => ({
      contents: [
        `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'))`,
        `exports.Pool = require('./lib/dispatcher/pool')`
      ].join('\n')
    }))
  }
}
const emptyMap = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64')

/** @param outdir the folder of the output */
const options = (outdir: string) =>
  ({
    absWorkingDir: root,
    entryPoints: [
      'bin.ts',
      'index.ts',
      'server.ts',
      'packages/operator/cli.ts',
      imports['#recovery-worker'],
      PARTS
    ],
    outdir,
    outbase: root,
    // In the folder itself, so that `import.meta.dirname` of the application is the folder.
    chunkNames: '[name]-[hash]',
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // Node shows the line of an error that nothing catches.
    lineLimit: 200,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Of packages that have both forms, the one whose unused parts can be left out.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    external,
    plugins: [parts, poolOfUndici, withoutMapsOfPackages],
    // Packages in CommonJS require modules of Node.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
    },
    logLevel: 'warning'
  }) satisfies BuildOptions

/**
 * Bundles the server, the application for other programs, the operator's tool and all packages that are plain JavaScript.
 * The output needs the packages in `external` only.
 * @param folder where it goes; it must be empty
 */
export async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build(options(folder))
  for (const [index, path] of loadedByPath.entries()) {
    const file = join(folder, path.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `export { part${index} as default } from '${relative(dirname(file), join(folder, PARTS))}.js'\n`
    )
  }
  return metafile
}

/** What the bundle would consist of; nothing is written. */
export async function bundleInputs(): Promise<Metafile> {
  const { metafile } = await build({ ...options(join(root, 'dist')), write: false })
  return metafile
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')

const { imports, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Packages with native code or static files, and optional packages. */
const external = [
  ...['libsql', '@fastify/swagger-ui', 'pino-pretty', 'pg-native'],
  ...Object.keys(peerDependencies)
]

/** Files that the application loads by path. */
const loadedByPath = readdirSync(join(root, 'routes'), { recursive: true, encoding: 'utf8' })
  .filter(path => /index\.ts$/.test(path))
  .map(path => join('routes', path))

/** Bundles these files into one module: each file costs 1 ms at startup, and shared chunks cost more. */
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

/** Omits the source maps of packages, which make up most of the map data that Node reads at startup. */
const dropPackageMaps: Plugin = {
  name: 'drop-package-maps',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${emptyMap}`,
      loader: 'default'
    }))
  }
}

/**
 * Bundles only what is used of packages whose index loads far more: undici's fetch makes up three quarters of its code,
 * and stargate's clients load the messages of every module of the SDK.
 */
const onlyUsed: Plugin = {
  name: 'only-used',
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/undici\/index\.js$/ }, () => ({
      contents: [
        `Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'))`,
        `exports.Pool = require('./lib/dispatcher/pool')`
      ].join('\n')
    }))
    onLoad({ filter: /\/node_modules\/@cosmjs\/stargate\/build\/index\.js$/ }, () => ({
      contents: `exports.accountFromAny = require('./accounts').accountFromAny`
    }))
  }
}
const emptyMap = Buffer.from('{"version":3,"sources":[""],"mappings":"AAAA"}').toString('base64')

/** Returns the build options. @param outdir the output folder */
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
    // Write chunks directly to the output folder, so that it is the application's `import.meta.dirname`.
    chunkNames: '[name]-[hash]',
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // Limit the line length, because Node prints the source line of an uncaught error.
    lineLimit: 200,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Prefer packages' ES modules, which allow tree shaking.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    external,
    plugins: [parts, onlyUsed, dropPackageMaps],
    // Bundled CommonJS packages call `require` for Node's modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);"
    },
    logLevel: 'warning'
  }) satisfies BuildOptions

/**
 * Bundles the server, the embeddable application, the operator tool and all pure JavaScript packages. The output
 * depends only on the packages in `external`.
 * @param folder the output folder, which must be empty
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

/** Returns the contents of the bundle without writing it. */
export async function bundleInputs(): Promise<Metafile> {
  const { metafile } = await build({ ...options(join(root, 'dist')), write: false })
  return metafile
}

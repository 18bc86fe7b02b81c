import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { root, run } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const document = join(root, 'openapi.json')

/** Runs a program in a folder, for at most ten minutes. */
const runIn = (folder: string, command: string, ...words: string[]) =>
  run(command, words, { cwd: folder, timeout: 600_000 })

const compile = (folder: string, ...files: string[]) =>
  runIn(
    folder,
    process.execPath,
    ...[join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', '--noEmit', '--strict'],
    ...['--target', 'es2022', '--lib', 'es2023,dom', '--module', 'nodenext', '--types', '', ...files]
  )

test('client generators accept openapi.json', async t => {
  const folder = temporaryFolder(t)
  const packages = ['@apidevtools/swagger-parser@13', '@openapitools/openapi-generator-cli@2.35.0']
  await runIn(
    folder,
    'npm',
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    ...packages
  )

  t.test('swagger-parser accepts openapi.json and rejects a broken document', async () => {
    const program = `
      const { default: parser } = await import('@apidevtools/swagger-parser')
      await parser.validate(process.argv[1])
      const broken = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { '/x': { get: { responses: 7 } } } }
      if (await parser.validate(broken).then(() => true, () => false)) throw new Error('the broken document is valid')`
    await runIn(folder, process.execPath, '--input-type=module', '-e', program, document)
  })

  t.test('openapi-generator creates a client that compiles', async () => {
    await runIn(
      folder,
      join(folder, 'node_modules/.bin/openapi-generator-cli'),
      ...['generate', '-i', document, '-g', 'typescript-fetch', '-o', 'client'],
      // The generator renames this property in the type but not in the code that uses the type.
      ...['--reserved-words-mappings', 'default=default'],
      ...['--additional-properties', 'modelPropertyNaming=original,paramNaming=original']
    )
    await compile(folder, 'client/index.ts')
  })
})

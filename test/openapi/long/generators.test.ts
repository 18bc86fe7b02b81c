import { join } from 'node:path'
import { temporaryFolder } from '../../helpers/app.ts'
import { root, run } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

test('openapi-generator creates a client that compiles', async t => {
  const folder = temporaryFolder(t)
  const runIn = (command: string, ...words: string[]) =>
    run(command, words, { cwd: folder, timeout: 600_000 })
  const quietly = ['--no-save', '--no-audit', '--no-fund', '--prefix', folder]
  await runIn('npm', 'install', ...quietly, '@openapitools/openapi-generator-cli@2.35.0')
  await runIn(
    join(folder, 'node_modules/.bin/openapi-generator-cli'),
    ...['generate', '-i', join(root, 'openapi.json'), '-g', 'typescript-fetch', '-o', 'client'],
    // The generator renames this property in the type but not in the code that uses the type.
    ...['--reserved-words-mappings', 'default=default'],
    ...['--additional-properties', 'modelPropertyNaming=original,paramNaming=original']
  )
  await runIn(
    process.execPath,
    ...[join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', '--noEmit', '--strict'],
    ...['--target', 'es2022', '--lib', 'es2023,dom', '--module', 'nodenext', '--types', ''],
    'client/index.ts'
  )
})

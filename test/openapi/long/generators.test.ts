import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../documents/blocks.ts'
import { build, temporaryFolder } from '../../helpers/app.ts'
import { root, run, usersEnvironment } from '../../helpers/repository.ts'
import { test } from '../../helpers/tap.ts'

const blocks = blocksOf('docs/generated-clients.md')
const programs = blocks.filter(({ kind }) => kind !== 'sh client')
const [download, ...recipes] = blocks.filter(({ kind }) => kind === 'sh client').map(({ text }) => text)

for (const [document, SERVICE_RESPONSE_FORMAT] of [
  ['openapi.json', 'documented'],
  ['openapi-widget.json', 'widget']
] as const)
  test(`clients generated from ${document} compile, and get a quote`, async t => {
    const folder = temporaryFolder(t)
    const options = { cwd: folder, env: usersEnvironment(), timeout: 600_000 }
    const shell = (commands = '') => run('bash', ['-euo', 'pipefail', '-c', commands], options)
    copyFileSync(join(root, document), join(folder, 'openapi.json'))
    const app = await build(t, { SERVICE_RESPONSE_FORMAT })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    for (const { kind, text } of programs) {
      const [, name = ''] = kind.split(' ')
      writeFileSync(join(folder, name), text.replaceAll('http://127.0.0.1:3001', url))
    }
    await shell(download)
    const output = await Promise.all(recipes.map(shell))
    const quotes = [...output.join('\n').matchAll(/^([\w-]{36})\s.*?(\d{9})\b/gms)]
    t.equal(programs.length, 5)
    t.equal(new Set(quotes.map(([, feeId]) => feeId)).size, programs.length, 'each client has its own quote')
    t.same(new Set(quotes.map(([, , amount]) => amount)), new Set([quotes[0]?.[2]]))
  })

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleClient } from '../../scripts/bundle-client.ts'
import { temporaryFolder } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'

test('the built client is less than 10 kB compressed, and one file without imports', async t => {
  const folder = temporaryFolder(t)
  const outputs = await bundleClient(folder)
  const code = readFileSync(join(folder, 'packages/client/index.js'))
  const size = gzipSync(code).length
  t.ok(size < 10_000, `${size} bytes`)
  t.same(
    Object.values(outputs).flatMap(({ imports }) => imports),
    []
  )
})

import { join } from 'node:path'
import { test } from 'tap'
import { build, startNetwork, temporaryFolder } from '../helpers/app.ts'

test('a closed server gives its data directory to the next one', async t => {
  const devnet = await startNetwork(t)
  const env = { SERVICE_DATA_DIR: join(temporaryFolder(t), 'data') }
  const first = await build(t, env, { devnet })
  await t.rejects(build(t, env, { devnet }), 'while the first one uses it')
  await first.close()
  await t.resolves(build(t, env, { devnet }))
})

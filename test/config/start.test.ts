import { spawnServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'

test('exits with 1 and one line per required variable without configuration', async t => {
  const server = await spawnServer(t, {})
  t.equal(await server.exited, 1)
  t.strictSame(
    server.output
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0]),
    [
      'SERVICE_ENVIRONMENT',
      'NODE_ENV',
      'DOMAIN',
      'SERVICE_BACKEND_NODE_PROVIDER',
      'SERVICE_BACKEND_NODE_PROVIDER_QUERY',
      'SERVICE_BACKEND_MNEMONIC'
    ]
  )
})

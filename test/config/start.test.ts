import { spawnServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'

const phrase = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon zebra'

test('a start without configuration ends with code 1 and one line per variable', async t => {
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

test('a start with bad and contradictory values prints no secret', async t => {
  const server = await spawnServer(t, {
    SERVICE_ENVIRONMENT: 'testnet',
    NODE_ENV: 'production',
    DOMAIN: '*',
    SERVICE_BACKEND_MNEMONIC: phrase,
    SERVICE_BACKEND_NODE_PROVIDER: 'https://operator:zanzibar@rpc.example#zanzibar',
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'https://api.example',
    KYC_API_KEY: 'zanzibar'
  })
  t.equal(await server.exited, 1)
  t.strictSame(server.output.trim().split('\n').length, 4)
  t.notMatch(server.output, /abandon|zebra|zanzibar/)
})

import { startDevnet } from '../../packages/devnet/index.ts'
import { test } from '../helpers/tap.ts'

test('derives the variables from the brand', async t => {
  const devnet = await startDevnet({ brand: 'acme' })
  t.teardown(() => devnet.close())
  t.match(devnet.env(), {
    SERVICE_BRAND: 'acme',
    SERVICE_CHAIN_PREFIX: 'acme',
    SERVICE_CHAIN_DENOM: 'uACME',
    SERVICE_BACKEND_NODE_PROVIDER: devnet.urls.rpc,
    SERVICE_BACKEND_NODE_PROVIDER_QUERY: devnet.urls.rest,
    SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: devnet.urls.graphql,
    SERVICE_BACKEND_FEE_URL: devnet.urls.fees
  })
  t.equal(devnet.chain.chainId, 'acme-devnet-1')
  const chains = await fetch(`${devnet.urls.rest}/acme-finance/acme-blockchain/acme/tss_pubkey`)
  t.equal(chains.status, 200)
})

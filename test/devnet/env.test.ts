import { builtInGenesis } from '../../packages/devnet/chain/built-in-genesis.ts'
import { startDevnet } from '../../packages/devnet/index.ts'
import { walletAddresses } from '../../packages/devnet/wallets.ts'
import { test } from '../helpers/tap.ts'

test('the variables follow the brand', async t => {
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

test('with the genesis of another chain the variables follow that chain', async t => {
  const { development } = walletAddresses('cosmos')
  const genesis = builtInGenesis({
    chainId: 'testing',
    feeDenom: 'ucosm',
    accounts: [{ address: development, amount: 1_000_000n }]
  })
  const devnet = await startDevnet({ genesis, minGasPrice: '0.1' })
  t.teardown(() => devnet.close())
  t.equal(devnet.addresses.development, development)
  t.equal(devnet.chain.chainId, 'testing')
  t.match(devnet.env(), {
    SERVICE_CHAIN_PREFIX: 'cosmos',
    SERVICE_CHAIN_DENOM: 'ucosm',
    SERVICE_GAS_PRICE: '0.1'
  })
})

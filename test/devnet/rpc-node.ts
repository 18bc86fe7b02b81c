import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import type { Test } from 'tap'
import type { ChainOptions } from '../../packages/devnet/chain/options.ts'
import { createRpcServer } from '../../packages/devnet/rpc/index.ts'
import { createTestChain, DENOM } from './test-chain.ts'

export { DENOM, FUNDS } from './test-chain.ts'

/** Starts a chain at its first block with its RPC server. Both public wallets have FUNDS. Stops when the test ends. */
export async function startNode(t: Test, options: Partial<ChainOptions> = {}) {
  const { chain, alice, bob } = await createTestChain({ blockTimeMs: 25, ...options })
  const rpc = await createRpcServer(chain, { host: '127.0.0.1', port: 0 })
  chain.start()
  t.teardown(async () => {
    chain.stop()
    await rpc.close()
  })

  /** Connects a CosmJS client that signs with the development wallet. */
  async function connect(): Promise<SigningStargateClient> {
    const client = await SigningStargateClient.connectWithSigner(rpc.url, alice.signer, {
      gasPrice: GasPrice.fromString(`0.025${DENOM}`),
      broadcastPollIntervalMs: 10
    })
    t.teardown(() => client.disconnect())
    return client
  }

  return {
    chain,
    url: rpc.url,
    wsUrl: rpc.url.replace('http:', 'ws:'),
    address: alice.address,
    otherAddress: bob.address,
    connect
  }
}

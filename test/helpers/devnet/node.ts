import { DirectSecp256k1HdWallet, type OfflineSigner } from '@cosmjs/proto-signing'
import { GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import type { Test } from 'tap'
import { builtInGenesis } from '../../../packages/devnet/chain/built-in-genesis.ts'
import { createChain } from '../../../packages/devnet/chain/index.ts'
import type { ChainOptions } from '../../../packages/devnet/chain/options.ts'
import { createRpcServer } from '../../../packages/devnet/rpc/index.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET, walletAddress } from '../../../packages/devnet/wallets.ts'

export const PREFIX = 'service'
export const DENOM = 'uSERVICE'
export const CHAIN_ID = 'service-devnet-1'
export const FUNDS = 1_000_000_000n

// Deriving a wallet is slow, and wallets have no state, so that all tests can share one.
const signer = await DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix: PREFIX })
const address = (await signer.getAccounts())[0]?.address ?? ''
const otherAddress = await walletAddress(OTHER_WALLET, PREFIX)

/** A chain at its first block with its RPC server, both public wallets funded with FUNDS; stopped when the test ends. */
export async function startNode(t: Test, options: Partial<ChainOptions> = {}) {
  const genesis = builtInGenesis({
    chainId: CHAIN_ID,
    feeDenom: DENOM,
    accounts: [address, otherAddress].map(funded => ({ address: funded, amount: FUNDS }))
  })
  const chain = createChain({ genesis, blockTimeMs: 25, ...options }, [])
  const rpc = await createRpcServer(chain, { host: '127.0.0.1', port: 0 })
  chain.start()
  t.teardown(async () => {
    chain.stop()
    await rpc.close()
  })

  /** A CosmJS client that signs with the development wallet, or with another signer. */
  async function connect(wallet: OfflineSigner = signer): Promise<SigningStargateClient> {
    const client = await SigningStargateClient.connectWithSigner(rpc.url, wallet, {
      gasPrice: GasPrice.fromString(`0.025${DENOM}`),
      broadcastPollIntervalMs: 10
    })
    t.teardown(() => client.disconnect())
    return client
  }

  return { chain, url: rpc.url, wsUrl: rpc.url.replace('http:', 'ws:'), address, otherAddress, connect }
}

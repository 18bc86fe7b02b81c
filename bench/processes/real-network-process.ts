import { connectComet } from '@cosmjs/tendermint-rpc'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { startDevnet } from '../../devnet/index.ts'
import { builds } from '../../test/real-chain/harness/builds.ts'
import { createRealChain } from '../../test/real-chain/harness/index.ts'

/**
 * A chain of the real Cosmos SDK as a process: `real-network-process.ts BLOCK_TIME_MS MAX_BLOCK_GAS`, SDK 0.53 or the one
 * that CHAIN_SDK names. It sends its addresses to its parent, then each block when the node publishes it. What is no
 * part of the chain, such as fees, is that of a development network.
 */
const [blockTimeMs = '', maxBlockGas = ''] = process.argv.slice(2)
const sdk = builds.at(-1) ?? '0.53'
const devnet = await startDevnet()
const chain = await createRealChain({
  sdk,
  directory: process.cwd(),
  chainId: devnet.chain.chainId,
  blockTimeMs: Number(blockTimeMs),
  maxBlockGas: Number(maxBlockGas),
  maxBlockBytes: 22_020_096
})

const report = (message: object) => void process.send?.(message)

const events = await connectComet(chain.urls.rpc.replace('http', 'ws'))
const queries = await connectComet(chain.urls.rpc)

events.subscribeNewBlock().addListener({
  async next({ header: { height }, txs }) {
    const committedAt = Date.now()
    const { results } = await queries.blockResults(height)
    const succeeded = results.filter(({ code }) => code === 0)
    const messages = succeeded.map(
      ({ data = new Uint8Array() }) => TxMsgData.decode(data).msgResponses.length
    )
    report({
      topic: 'block',
      height,
      committedAt,
      transactions: txs.length,
      failed: results.length - succeeded.length,
      messages: messages.reduce((sum, count) => sum + count, 0),
      gasWanted: Number(results.reduce((sum, { gasWanted }) => sum + gasWanted, 0n)),
      gasUsed: Number(results.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
      bytes: txs.reduce((sum, { length }) => sum + length, 0)
    })
  }
})
report({
  topic: 'network',
  env: { ...devnet.env(), SERVICE_BACKEND_NODE_PROVIDER: chain.urls.rpc },
  rpc: chain.urls.rpc,
  chainId: chain.chainId,
  address: chain.addresses.development
})

process.once('SIGTERM', async () => {
  await Promise.all([devnet.close(), chain.close()])
  process.exit()
})

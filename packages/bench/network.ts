import { startDevnet } from '../devnet/index.ts'
import { sum } from './report.ts'

export interface Block {
  topic: 'block'
  height: number
  /** In milliseconds since the epoch. */
  committedAt: number
  gasWanted: number
}

export interface NetworkFacts {
  topic: 'network'
  /** Environment variables for a server on the network. */
  env: Record<string, string>
  rpc: string
  /** Chain address of the whitelisted wallet. */
  address: string
}

// Runs the development network: `network.js BLOCK_TIME_MS MAX_BLOCK_GAS`. Sends its facts to the parent, then each block.
const [blockTimeMs, maxBlockGas = ''] = process.argv.slice(2)
const devnet = await startDevnet({ blockTimeMs: Number(blockTimeMs), maxBlockGas: BigInt(maxBlockGas) })
const send = (message: NetworkFacts | Block) => process.send?.(message)
devnet.chain.onBlock(({ height, txs }) => {
  const gasWanted = sum(txs.map(({ result }) => Number(result.gasWanted)))
  send({ topic: 'block', height, committedAt: Date.now(), gasWanted })
})
const { urls, addresses } = devnet
send({ topic: 'network', env: devnet.env(), rpc: urls.rpc, address: addresses.development })
process.once('SIGTERM', () => devnet.close().then(() => process.exit()))

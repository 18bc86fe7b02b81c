import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { startDevnet } from '../../devnet/index.ts'

/**
 * The development network as a process: `network-process.ts BLOCK_TIME_MS MAX_BLOCK_GAS`. It sends its addresses to
 * its parent, then each block when that is committed.
 */
const [blockTimeMs = '', maxBlockGas = ''] = process.argv.slice(2)
const devnet = await startDevnet({ blockTimeMs: Number(blockTimeMs), maxBlockGas: BigInt(maxBlockGas) })

const report = (message: object) => void process.send?.(message)

devnet.chain.onBlock(({ height, txs }) => {
  const succeeded = txs.filter(({ result }) => result.code === 0)
  const messages = succeeded.map(({ result }) => TxMsgData.decode(result.data).msgResponses.length)
  report({
    topic: 'block',
    height,
    committedAt: Date.now(),
    transactions: txs.length,
    failed: txs.length - succeeded.length,
    messages: messages.reduce((sum, count) => sum + count, 0),
    gasWanted: Number(txs.reduce((sum, { result }) => sum + result.gasWanted, 0n)),
    gasUsed: Number(txs.reduce((sum, { result }) => sum + result.gasUsed, 0n)),
    bytes: txs.reduce((sum, { bytes }) => sum + bytes.length, 0)
  })
})
report({
  topic: 'network',
  env: devnet.env(),
  rpc: devnet.urls.rpc,
  chainId: devnet.chain.chainId,
  address: devnet.addresses.development
})

process.once('SIGTERM', async () => {
  await devnet.close()
  process.exit()
})

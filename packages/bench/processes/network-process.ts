import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { startDevnet } from '../../devnet/index.ts'

/**
 * Runs the development network: `network-process.js BLOCK_TIME_MS MAX_BLOCK_GAS`. Sends its addresses to the parent
 * process, then each committed block.
 */
const [blockTimeMs = '', maxBlockGas = ''] = process.argv.slice(2)
const devnet = await startDevnet({ blockTimeMs: Number(blockTimeMs), maxBlockGas: BigInt(maxBlockGas) })

devnet.chain.onBlock(({ height, txs }) => {
  const committedAt = Date.now()
  const messages = txs.map(({ result: { code, data } }) =>
    code === 0 ? TxMsgData.decode(data).msgResponses.length : 0
  )
  process.send?.({
    topic: 'block',
    height,
    committedAt,
    messages: messages.reduce((total, count) => total + count, 0),
    gasWanted: Number(txs.reduce((total, { result }) => total + result.gasWanted, 0n))
  })
})
process.send?.({
  topic: 'network',
  env: devnet.env(),
  rpc: devnet.urls.rpc,
  address: devnet.addresses.development
})

process.once('SIGTERM', async () => {
  await devnet.close()
  process.exit()
})

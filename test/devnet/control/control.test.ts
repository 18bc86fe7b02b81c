import { txHash } from '../../../packages/devnet/chain/hashes.ts'
import { rpc } from '../../helpers/rpc.ts'
import { test } from '../../helpers/tap.ts'
import { at, broadcast, start, waiting } from '../test-network.ts'
import { sign, transfer } from '../transactions.ts'

test('a restarted node checks transactions as if at height 0 until its next block', async t => {
  const devnet = await start(t)
  const tx = await at(devnet, 0)
  devnet.control.restart()
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
  t.equal(waiting(devnet), 0, 'the transaction is dropped because gas is unlimited at height 0')
  await t.rejects(devnet.control.send({ from: 'other' }), {
    message: /code 4: .*please verify account number \(0\)/
  })
  devnet.chain.produceBlock()
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
  t.equal(waiting(devnet), 1)
})

test('a node can drop or reject transactions, or report a full mempool', async t => {
  const devnet = await start(t)
  const tx = await at(devnet, 0)
  devnet.control.dropNext({ count: 1, cached: true })
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
  t.equal(waiting(devnet), 0)
  t.match(await broadcast(devnet, tx), { error: { data: /already exists in cache/ } })

  devnet.control.restart()
  devnet.control.refuseNext({ count: 1, code: 13, codespace: 'sdk', log: 'no' })
  t.match(await broadcast(devnet, tx), { result: { code: 13, log: 'no' } })
  devnet.control.setMempoolSize(0)
  t.match(await broadcast(devnet, tx), { error: { data: /mempool is full/ } })
  devnet.control.setMempoolSize(1)
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
})

test('messages can fail in a block after a successful simulation', async t => {
  const devnet = await start(t)
  const failure = { count: 1, code: 7, codespace: 'transaction', log: 'late', simulated: false }
  devnet.control.failMessages({ ...failure, containing: 'the culprit' })
  const { development } = devnet.addresses
  const messages = ['fine', 'the culprit', 'fine'].map(feeId =>
    transfer(development, { options: JSON.stringify({ feeId }) })
  )
  await broadcast(devnet, await sign(devnet, messages))
  t.match(devnet.chain.produceBlock().txs[0]?.result, {
    code: 7,
    log: 'failed to execute message; message index: 1: late'
  })
  devnet.control.failMessages({ ...failure, code: 11, codespace: 'sdk', log: 'out of gas' })
  await broadcast(devnet, await at(devnet, 1))
  t.match(devnet.chain.produceBlock().txs[0]?.result, { code: 11, log: 'out of gas' })
})

test('limits, prices, the whitelist and balances can change while transactions are pending', async t => {
  const devnet = await start(t)
  const { development: address } = devnet.addresses
  const tx = await at(devnet, 0)
  devnet.control.setMaxBlockGas(1000n)
  t.match(await broadcast(devnet, tx), { result: { code: 41 } })
  t.match(await rpc(devnet.urls.rpc, 'consensus_params'), {
    result: { consensus_params: { block: { max_gas: '1000' } } }
  })
  devnet.control.setMaxBlockGas(40000000n)
  devnet.control.setMinGasPrice('1')
  t.match(await broadcast(devnet, tx), { result: { code: 13 } })
  devnet.control.setMinGasPrice('0')
  devnet.control.setBalance(address, 0n)
  t.match(await broadcast(devnet, tx), { result: { code: 5 } })
  await devnet.control.send({ from: 'other', to: address, amount: 1000000n })
  devnet.chain.produceBlock()
  devnet.control.disallow(address)
  await broadcast(devnet, tx)
  t.match(devnet.chain.produceBlock().txs[0]?.result, { code: 4, log: /not whitelisted/ })
  devnet.control.allow(address)
  await broadcast(devnet, await at(devnet, 1))
  t.match(devnet.chain.produceBlock().txs[0]?.result, { code: 0 })
})

test('a transaction sent by the controls uses the next sequence after all pending transactions', async t => {
  const devnet = await start(t)
  await broadcast(devnet, await at(devnet, 0))
  await devnet.control.send({ from: 'development' })
  const codes = devnet.chain.produceBlock().txs.map(({ result }) => result.code)
  t.strictSame(codes, [0, 0])
})

test('a node can return a wrong status and wrong results from its index, but correct blocks', async t => {
  const devnet = await start(t)
  const tx = await at(devnet, 0)
  await broadcast(devnet, tx)
  const { height } = devnet.chain.produceBlock()
  const { rpc: url } = devnet.urls
  const search = () => rpc(url, 'tx_search', { query: `tx.hash='${txHash(tx)}'` })
  t.match(await search(), { result: { txs: [{ tx_result: { code: 0 } }] } })
  devnet.control.setTxIndex('wrong')
  t.match(await search(), { result: { txs: [{ tx_result: { code: 5 } }] } })
  devnet.control.setTxIndex('missing')
  t.match(await search(), { result: { txs: [] } })
  devnet.control.setStatusAhead(7)
  t.match(await rpc(url, 'status'), { result: { sync_info: { latest_block_height: String(height + 7) } } })
  t.match(await rpc(url, 'block', { height: String(height + 1) }), { error: { data: /less than or equal/ } })
})

test('the lagging node lags in blocks, state and mempool, and forwards accepted transactions', async t => {
  const devnet = await start(t)
  const { laggingRpc } = devnet.urls
  devnet.control.produceBlocks(5)
  devnet.control.setLag(2)
  const isAt = (height: number) =>
    rpc(laggingRpc, 'status').then(status =>
      t.match(status, { result: { sync_info: { latest_block_height: String(height) } } })
    )
  await isAt(devnet.chain.height - 2)

  t.match(await broadcast(devnet, await at(devnet, 0)), { result: { code: 0 } })
  devnet.chain.produceBlock()
  const next = await at(devnet, 1)
  t.match(await broadcast(devnet, next, laggingRpc), { result: { code: 32, log: /expected 0, got 1/ } })
  devnet.control.setLag(0)
  await isAt(devnet.chain.height)
  t.match(await broadcast(devnet, next, laggingRpc), { result: { code: 0 } })
  t.equal(waiting(devnet), 1)
})

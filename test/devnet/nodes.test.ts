import { txHash } from '../../packages/devnet/chain/hashes.ts'
import { type Devnet, startDevnet } from '../../packages/devnet/index.ts'
import { rpc } from '../helpers/rpc.ts'
import { type Test, test } from '../helpers/tap.ts'
import { sequenceOf } from './test-chain.ts'
import { sign, transfer } from './transactions.ts'

/** Starts a network with a lagging node. The test produces the blocks. */
async function start(t: Test) {
  const devnet = await startDevnet({ control: true })
  t.teardown(() => devnet.close())
  devnet.chain.pause()
  return devnet
}

const broadcast = (devnet: Devnet, bytes: Uint8Array, url = devnet.urls.rpc) =>
  rpc(url, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') })

/** Signs a transfer from the development wallet with this sequence. */
const at = (devnet: Devnet, sequence: number) =>
  sign(devnet, [transfer(devnet.addresses.development)], { sequence })

/** Returns `sync_info` from a node's `/status`. */
async function syncInfo(url: string | undefined) {
  const { result } = await rpc(url, 'status')
  const { sync_info, node_info } = result as {
    sync_info: Record<string, string>
    node_info: { network: string }
  }
  return {
    network: node_info.network,
    latest: Number(sync_info['latest_block_height']),
    time: sync_info['latest_block_time'],
    earliest: Number(sync_info['earliest_block_height']),
    earliestHash: sync_info['earliest_block_hash']
  }
}

test('a restarted node checks transactions as if at height 0 until its next block', async t => {
  const devnet = await start(t)
  const { chain, control } = devnet
  const tx = await at(devnet, 0)
  control.restart()
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
  t.equal(chain.mempool.size, 0, 'the transaction is dropped because gas is unlimited at height 0')
  await t.rejects(control.send({ from: 'other' }), {
    message: /code 4: .*please verify account number \(0\)/
  })
  chain.produceBlock()
  t.match(await broadcast(devnet, tx), { result: { code: 0 } })
  t.equal(chain.mempool.size, 1)
})

test('CheckTx can accept a transaction that is then dropped, with or without its hash in the cache', async t => {
  const devnet = await start(t)
  const { chain, control } = devnet
  for (const cached of [false, true]) {
    const tx = await at(devnet, Number(cached))
    control.dropNext({ count: 1, cached })
    t.match(await broadcast(devnet, tx), { result: { code: 0 } })
    t.equal(chain.mempool.size, 0)
    t.match(
      await broadcast(devnet, tx),
      cached ? { error: { data: /already exists in cache/ } } : { result: { code: 32 } }
    )
  }
})

test('CheckTx rejects a gas limit above a lowered block gas limit', async t => {
  const devnet = await start(t)
  devnet.control.setMaxBlockGas(1000n)
  t.match(await broadcast(devnet, await at(devnet, 0)), { result: { code: 41 } })
})

test('the lagging node lags in blocks, state and mempool, and forwards accepted transactions', async t => {
  const devnet = await start(t)
  const { laggingRpc } = devnet.urls
  devnet.control.produceBlocks(5)
  devnet.control.setLag(2)
  t.match(await syncInfo(laggingRpc), { latest: devnet.chain.height - 2 })

  t.match(await broadcast(devnet, await at(devnet, 0)), { result: { code: 0 } })
  devnet.chain.produceBlock()
  const next = await at(devnet, 1)
  t.match(await broadcast(devnet, next, laggingRpc), { result: { code: 32, log: /expected 0, got 1/ } })
  devnet.control.setLag(0)
  t.match(await syncInfo(laggingRpc), { latest: devnet.chain.height })
  t.match(await broadcast(devnet, next, laggingRpc), { result: { code: 0 } })
  t.equal(devnet.chain.mempool.size, 1)
})

for (const node of ['first', 'lagging'] as const) {
  test(`a frozen ${node} node serves only its own blocks, and catches up afterwards`, async t => {
    const devnet = await start(t)
    devnet.control.setLag(0)
    const url = node === 'first' ? devnet.urls.rpc : devnet.urls.laggingRpc
    const { chain } = devnet
    devnet.control.setFrozen(true, node)
    const before = await syncInfo(url)
    const tx = await at(devnet, 0)
    t.match(await broadcast(devnet, tx, url), { result: { code: 0 } })
    t.equal(chain.mempool.size, 0, 'the frozen node forwards no transactions')
    devnet.control.produceBlocks(3)
    t.strictSame(await syncInfo(url), before)
    t.equal(chain.height, before.latest + 3)
    t.match(await rpc(url, 'block', { height: String(chain.height) }), {
      error: { data: /must be less than or equal to the current blockchain height/ }
    })
    t.match(await rpc(url, 'unconfirmed_txs'), { result: { n_txs: '1' } })

    devnet.control.setFrozen(false, node)
    t.equal((await syncInfo(url)).latest, chain.height)
    t.equal(chain.mempool.size, 1, 'the node forwards its pending transaction')
    t.match(chain.produceBlock().txs[0], { hash: txHash(tx), result: { code: 0 } })
  })
}

test('an upgrade keeps the state under a new chain id and drops the old blocks', async t => {
  const devnet = await start(t)
  const { rpc: url, laggingRpc } = devnet.urls
  const { chain } = devnet
  const executed = await at(devnet, 0)
  await broadcast(devnet, executed)
  chain.produceBlock()
  const oldHeight = chain.height
  const pending = await at(devnet, 1)
  await broadcast(devnet, pending)
  devnet.control.upgrade('service-devnet-2')

  const first = oldHeight + 1
  t.match(await syncInfo(url), { network: 'service-devnet-2', latest: first, earliest: first })
  t.match(await rpc(url, 'block', { height: String(first) }), {
    result: {
      block: { header: { chain_id: 'service-devnet-2', last_block_id: { hash: '' } }, data: { txs: [] } }
    }
  })
  t.match(await rpc(url, 'block', { height: String(oldHeight) }), {
    error: { code: -32603, data: `height ${oldHeight} is not available, lowest height is ${first}` }
  })
  t.match(await rpc(url, 'genesis'), {
    result: { genesis: { chain_id: 'service-devnet-2', initial_height: String(first) } }
  })
  t.match(await rpc(url, 'tx', { hash: Buffer.from(txHash(executed), 'hex').toString('base64') }), {
    error: { data: /not found/ }
  })
  t.equal(chain.mempool.size, 0)
  t.match(await broadcast(devnet, pending), {
    result: { code: 4, log: /verify account number \(0\) and chain-id \(service-devnet-2\)/ }
  })
  t.equal(sequenceOf(chain, { address: devnet.addresses.development }), 1n, 'the sequence continues')
  t.match(await broadcast(devnet, await at(devnet, 1)), { result: { code: 0 } })
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])

  t.match(await syncInfo(laggingRpc), { network: 'service-devnet-1', latest: oldHeight, earliest: 1 })
  t.match(await rpc(laggingRpc, 'block', { height: String(oldHeight) }), {
    result: { block: { header: { chain_id: 'service-devnet-1' }, data: { txs: { length: 1 } } } }
  })
})

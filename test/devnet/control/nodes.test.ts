import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { txHash } from '../../../packages/devnet/chain/hashes.ts'
import type { Devnet } from '../../../packages/devnet/index.ts'
import { rpc } from '../../helpers/rpc.ts'
import { test } from '../../helpers/tap.ts'
import { sequenceOf } from '../chain/test-chain.ts'
import { at, broadcast, start, waiting } from '../test-network.ts'

const sequence = ({ chain, addresses }: Devnet) => sequenceOf(chain, { address: addresses.development })

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
    t.equal(waiting(devnet), 0, 'the frozen node forwards no transactions')
    devnet.control.produceBlocks(3)
    t.strictSame(await syncInfo(url), before)
    t.equal(chain.height, before.latest + 3)
    t.match(await rpc(url, 'block', { height: String(chain.height) }), {
      error: { data: /must be less than or equal to the current blockchain height/ }
    })
    t.match(await rpc(url, 'unconfirmed_txs'), { result: { n_txs: '1' } })

    devnet.control.setFrozen(false, node)
    t.equal((await syncInfo(url)).latest, chain.height)
    t.equal(waiting(devnet), 1, 'the node forwards its pending transaction')
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
  const waitingTx = await at(devnet, 1)
  await broadcast(devnet, waitingTx)
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
  t.equal(waiting(devnet), 0, 'the mempool is empty')
  t.match(await broadcast(devnet, waitingTx), {
    result: { code: 4, log: /verify account number \(0\) and chain-id \(service-devnet-2\)/ }
  })
  t.equal(sequence(devnet), 1n, 'the sequence continues')
  t.match(await broadcast(devnet, await at(devnet, 1)), { result: { code: 0 } })
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])

  t.match(await syncInfo(laggingRpc), { network: 'service-devnet-1', latest: oldHeight, earliest: 1 })
  t.match(await rpc(laggingRpc, 'block', { height: String(oldHeight) }), {
    result: { block: { header: { chain_id: 'service-devnet-1' }, data: { txs: { length: 1 } } } }
  })
})

test('an unordered transaction consumes no sequence', async t => {
  const devnet = await start(t, { sdk: '0.53' })
  const { chain } = devnet
  const hash = await devnet.control.send({ from: 'development', unordered: true })
  const [unordered] = chain.produceBlock().txs
  t.match(unordered, { hash, result: { code: 0 } })
  const attributes = unordered?.result.events.flatMap(event => event.attributes) ?? []
  t.strictSame(
    attributes.filter(({ key }) => key === 'acc_seq'),
    []
  )
  const { unordered: flag } = TxBody.decode(TxRaw.decode(unordered?.bytes ?? new Uint8Array()).bodyBytes)
  t.equal(flag, true)
  t.equal(sequence(devnet), 0n)

  await broadcast(devnet, await at(devnet, 0))
  await devnet.control.send({ from: 'development', unordered: true })
  t.match(await broadcast(devnet, await at(devnet, 11)), { result: { code: 32, log: /expected 1, got/ } })
  t.strictSame(
    chain.produceBlock().txs.map(({ result }) => result.code),
    [0, 0]
  )
  t.equal(sequence(devnet), 1n)
})

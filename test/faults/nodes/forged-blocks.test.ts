import { headerHash, merkleRoot, resultsHash, sha256 } from '../../../services/chain-client/node/hashes.ts'
import { forward } from '../../helpers/local-server.ts'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork, tally } from '../faulty-network.ts'

const upperHex = (bytes: Buffer) => bytes.toString('hex').toUpperCase()

/** The result of the RPC method `block`. */
interface RpcBlock {
  block_id: { hash: string; parts: { total: number; hash: string } }
  block: { header: Parameters<typeof headerHash>[0]; data: { txs: string[] | null } }
}

/** Forges the successor of an empty block. Its results report that the chain executed `txs`. */
function forge({ block_id, block }: RpcBlock, txs: string[]) {
  const height = String(Number(block.header.height) + 1)
  const header = {
    ...block.header,
    height,
    last_block_id: block_id,
    last_results_hash: upperHex(resultsHash([])),
    data_hash: upperHex(merkleRoot(txs.map(tx => sha256(Buffer.from(tx, 'base64')))))
  }
  const attributes = Object.entries({ txId: '666', msg_index: '0' }).map(([key, value]) => ({ key, value }))
  const events = [{ type: 'transaction_requested', attributes }]
  const result = { code: 0, gas_wanted: '2', gas_used: '1', events }
  return {
    height,
    block: {
      block_id: { ...block_id, hash: upperHex(headerHash(header)) },
      block: { header, data: { txs } }
    },
    block_results: { height, txs_results: txs.map(() => result) }
  }
}

/** Starts a node that forges one block, with results as if the transactions in the mempool were executed. */
async function startForger(t: Test, rpc: string) {
  let forged: ReturnType<typeof forge> | undefined
  let isLying = false
  let isServed = false

  async function call<T>(method: string): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} })
    return (await forward(rpc, { method: 'POST', body })).body.result
  }

  async function make(): Promise<void> {
    const newest = await call<RpcBlock>('block')
    const { txs } = await call<{ txs: string[] }>('unconfirmed_txs')
    if (txs.length > 0 && !newest.block.data.txs?.length) forged ??= forge(newest, txs)
  }

  const rewrite: Rewrite = async (method, _result, { height }) => {
    if (isLying && !forged) await make()
    if (!isLying || !forged || height !== forged.height) return undefined
    isServed = true
    return method === 'block' ? forged.block : forged.block_results
  }
  const url = await startRewritingNode(t, rpc, rewrite, ['block', 'block_results'])

  return {
    url,
    /**
     * Waits until the block is forged and, if `isFirst`, served. If the forger is not first in the list, the engine
     * might never ask it for the block.
     */
    forged: (isFirst: boolean) => until(() => forged && (isServed || !isFirst), 'the block is forged'),
    lie(lying: boolean) {
      isLying = lying
    }
  }
}

for (const [title, order] of [
  ['the first of two nodes', 'forger, honest'],
  ['the second of two nodes', 'honest, forger'],
  ['the first of three nodes', 'forger, honest, honest']
] as const) {
  test(`ignores a next block forged by ${title}`, async t => {
    let forger: Awaited<ReturnType<typeof startForger>> | undefined
    const { control, submit, settled, assertExactlyOnce } = await startFaultyNetwork(t, {
      engine: PATIENT,
      nodes: async ({ rpc }) => {
        const started = await startForger(t, rpc)
        forger = started
        return order.split(', ').map(name => (name === 'forger' ? started.url : rpc))
      }
    })
    await settled([await submit()])
    control.pause()
    control.produceBlocks(1)
    forger?.lie(true)
    const submission = await submit()
    await forger?.forged(order.startsWith('forger'))
    control.resume()
    t.match(await settled([submission]), [{ status: 'committed' }])
    forger?.lie(false)
    t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
  })
}

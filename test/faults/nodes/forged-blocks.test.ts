import { headerHash, merkleRoot, resultsHash, sha256 } from '../../../services/chain-client/node/hashes.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork, tally } from '../faulty-network.ts'

const upperHex = (bytes: Buffer) => bytes.toString('hex').toUpperCase()

/** A response to `block`. */
interface RpcBlock {
  block_id: { hash: string; parts: { total: number; hash: string } }
  block: { header: Parameters<typeof headerHash>[0]; data: { txs: string[] | null } }
}

/** Forges the block after the given empty one; the forged block has executed `txs`. */
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

/** A node that forges the next block once: it claims to have executed the transactions in the mempool. */
async function startForger(t: Test, rpc: string) {
  let forged: ReturnType<typeof forge> | undefined
  let isLying = false
  let isServed = false

  async function call(method: string, params: object = {}): Promise<{ result?: unknown }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    // The network may close before this node.
    const response = await fetch(rpc, { method: 'POST', body }).catch(() => undefined)
    return (await response?.json()) ?? {}
  }

  async function make(): Promise<void> {
    const { result: newest } = (await call('block')) as { result: RpcBlock }
    const { result: mempool } = (await call('unconfirmed_txs')) as { result: { txs: string[] } }
    if (mempool.txs.length > 0 && !newest.block.data.txs?.length) forged ??= forge(newest, mempool.txs)
  }

  const { url } = await serve(t, async (request, response) => {
    if (request.method !== 'POST') return json(response, {}, 404)
    const { id, method, params } = JSON.parse(request.body)
    if (isLying && !forged) await make()
    const lie = isLying && params?.height === forged?.height ? Object.entries(forged ?? {}) : []
    const [, result] = lie.find(([name]) => name === method) ?? []
    isServed ||= result !== undefined
    json(response, {
      ...(await call(method, params)),
      id,
      ...(result !== undefined && { result, error: undefined })
    })
  })

  return {
    url,
    /** Resolves once the block is forged and, with `isFirst`, read. A later node may never be asked for it. */
    forged: (isFirst: boolean) => until(() => forged && (isServed || !isFirst), 'the block is made up'),
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
  test(`${title} has the next block, which it has made up, before there is one: it decides nothing`, async t => {
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

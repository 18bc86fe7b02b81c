import { createHash } from 'node:crypto'
import { fromBase64 } from '@cosmjs/encoding'

/** A transaction of a block, with what the oracle needs of it. `hash` is upper-case hex. */
export interface BlockTx {
  hash: string
  height: number
  bytes: Uint8Array
  code: number
  /** Encoded TxMsgData. */
  data: Uint8Array
  attributes: { key: string; value: string }[]
}

/** The parts of a node's answers that are read here, without the service's code and without a client library. */
interface Answers {
  status: { sync_info: { earliest_block_height: string; latest_block_height: string } }
  genesis: { genesis: { initial_height: string } }
  blockchain: { block_metas: { header: { height: string }; num_txs: string }[] }
  block: { block: { data: { txs: string[] | null } } }
  block_results: { txs_results: TxResult[] | null }
}

interface TxResult {
  code: number
  data: string | null
  events: { attributes: { key: string; value: string }[] }[]
}

async function ask<M extends keyof Answers>(url: string, method: M, params = ''): Promise<Answers[M]> {
  const response = await fetch(`${url}/${method}${params}`)
  const { result } = (await response.json()) as { result: Answers[M] }
  return result
}

/** How many blocks one `blockchain` call returns. */
const PAGE = 20

/** The heights of the blocks that hold transactions, in ascending order. */
async function heightsWithTxs(url: string, initial: number, newest: number): Promise<number[]> {
  const heights: number[] = []
  for (let first = initial; first <= newest; first += PAGE) {
    const range = `?minHeight=${first}&maxHeight=${Math.min(newest, first + PAGE - 1)}`
    for (const { header, num_txs } of (await ask(url, 'blockchain', range)).block_metas) {
      if (num_txs !== '0') heights.push(Number(header.height))
    }
  }
  return heights.toSorted((a, b) => a - b)
}

/**
 * Every transaction from the chain's first block to the newest, over a node's RPC.
 * @throws Error when the node has deleted blocks
 */
export async function readBlocks(url: string): Promise<BlockTx[]> {
  const { earliest_block_height: earliest, latest_block_height: newest } = (await ask(url, 'status'))
    .sync_info
  const { initial_height: initial } = (await ask(url, 'genesis')).genesis
  if (earliest !== initial) throw new Error(`${url} has no blocks before ${earliest}`)
  const txs: BlockTx[] = []
  for (const height of await heightsWithTxs(url, Number(initial), Number(newest))) {
    const { txs: bodies } = (await ask(url, 'block', `?height=${height}`)).block.data
    const { txs_results: results } = await ask(url, 'block_results', `?height=${height}`)
    for (const [index, body] of (bodies ?? []).entries()) {
      const bytes = fromBase64(body)
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      const { code = 0, data, events = [] } = results?.[index] ?? {}
      const attributes = events.flatMap(event => event.attributes)
      txs.push({ hash, height, bytes, code, data: fromBase64(data ?? ''), attributes })
    }
  }
  return txs
}

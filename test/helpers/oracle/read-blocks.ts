import { createHash } from 'node:crypto'
import { fromBase64 } from '@cosmjs/encoding'
import { until } from '../until.ts'

export interface ChainEvent {
  type: string
  attributes: { key: string; value: string }[]
}

/** A transaction in a block, with its result. `hash` is upper-case hex. */
export interface BlockTx {
  hash: string
  height: number
  bytes: Uint8Array
  code: number
  codespace: string
  log: string
  /** Encoded TxMsgData. */
  data: Uint8Array
  events: ChainEvent[]
  gasUsed: number
  gasWanted: number
}

/** A result as encoded by a node. Go omits empty fields. */
interface TxResult {
  code: number
  codespace?: string
  log?: string
  data: string | null
  events: WrittenEvent[]
  gas_used: string
  gas_wanted: string
}

/** The parts of a node's responses that the oracle reads, independently of the service's code and client libraries. */
interface Answers {
  status: { sync_info: { earliest_block_height: string; latest_block_height: string } }
  genesis: { genesis: { initial_height: string } }
  blockchain: { block_metas: { header: { height: string }; num_txs: string }[] }
  block: { block: { data: { txs: string[] | null } } }
  block_results: { txs_results: TxResult[] | null }
}

/** An event as encoded by a node or in the log of SDK 0.47. */
export interface WrittenEvent {
  type?: string
  attributes?: { key?: string; value?: string }[] | null
}

export function readEvent({ type = '', attributes }: WrittenEvent): ChainEvent {
  return { type, attributes: (attributes ?? []).map(({ key = '', value = '' }) => ({ key, value })) }
}

async function ask<M extends keyof Answers>(
  url: string,
  method: M,
  params: object = {}
): Promise<Answers[M]> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  // The node might close a keep-alive connection just as the connection is reused.
  return until(async () => {
    try {
      const response = await fetch(url, { method: 'POST', body })
      return ((await response.json()) as { result: Answers[M] }).result
    } catch {
      return false
    }
  }, `${url} responds to ${method}`)
}

/** Maximum number of blocks in one `blockchain` response. */
const PAGE = 20

/** Returns the heights of blocks with transactions, in ascending order. */
async function heightsWithTxs(url: string, initial: number, newest: number): Promise<number[]> {
  const heights: number[] = []
  for (let first = initial; first <= newest; first += PAGE) {
    const range = { minHeight: String(first), maxHeight: String(Math.min(newest, first + PAGE - 1)) }
    for (const { header, num_txs } of (await ask(url, 'blockchain', range)).block_metas) {
      if (num_txs !== '0') heights.push(Number(header.height))
    }
  }
  return heights.toSorted((a, b) => a - b)
}

/**
 * Reads every transaction from the chain's first block to the newest over a node's RPC.
 * @throws Error if the node has deleted blocks, or a transaction has no result
 */
export async function readBlocks(url: string): Promise<BlockTx[]> {
  const { earliest_block_height: earliest, latest_block_height: newest } = (await ask(url, 'status'))
    .sync_info
  const { initial_height: initial } = (await ask(url, 'genesis')).genesis
  if (earliest !== initial) throw new Error(`${url} has no blocks before ${earliest}`)
  const txs: BlockTx[] = []
  for (const height of await heightsWithTxs(url, Number(initial), Number(newest))) {
    const { txs: bodies } = (await ask(url, 'block', { height: String(height) })).block.data
    const { txs_results: results } = await ask(url, 'block_results', { height: String(height) })
    for (const [index, body] of (bodies ?? []).entries()) {
      const result = results?.[index]
      if (result === undefined) throw new Error(`transaction ${index} of block ${height} has no result`)
      const bytes = fromBase64(body)
      txs.push({
        hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
        height,
        bytes,
        code: result.code,
        codespace: result.codespace ?? '',
        log: result.log ?? '',
        data: fromBase64(result.data ?? ''),
        events: result.events.map(readEvent),
        gasUsed: Number(result.gas_used),
        gasWanted: Number(result.gas_wanted)
      })
    }
  }
  return txs
}

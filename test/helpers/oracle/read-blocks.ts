import { createHash } from 'node:crypto'
import { fromBase64 } from '@cosmjs/encoding'
import type { SubmissionEvent } from '../../../services/submission/contract.ts'
import { rpc } from '../rpc.ts'
import { until } from '../until.ts'

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
  events: SubmissionEvent[]
  gasUsed: number
  gasWanted: number
}

/** An event as encoded by a node or in the log of SDK 0.47. Go omits empty fields. */
export interface WrittenEvent {
  type?: string
  attributes?: { key?: string; value?: string }[] | null
}

/** The parts of a node's responses that the oracle reads, independently of the service's code and client libraries. */
interface Answers {
  status: { sync_info: { earliest_block_height: string; latest_block_height: string } }
  genesis: { genesis: { initial_height: string } }
  block: { block: { data: { txs: string[] } } }
  block_results: {
    txs_results:
      | {
          code: number
          codespace?: string
          log?: string
          data: string | null
          events: WrittenEvent[]
          gas_used: string
          gas_wanted: string
        }[]
      | null
  }
}

export function readEvent({ type = '', attributes }: WrittenEvent): SubmissionEvent {
  return { type, attributes: (attributes ?? []).map(({ key = '', value = '' }) => ({ key, value })) }
}

/** Retries, because a node might close a keep-alive connection just as the connection is reused. */
const ask = <M extends keyof Answers>(url: string, method: M, params?: object): Promise<Answers[M]> =>
  until(
    () =>
      rpc(url, method, params).then(
        ({ result }) => result as unknown as Answers[M],
        () => undefined
      ),
    `${url} responds to ${method}`
  )

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
  for (let height = Number(initial); height <= Number(newest); height++) {
    const { txs_results: results } = await ask(url, 'block_results', { height: String(height) })
    if (results === null || results.length === 0) continue
    const { txs: bodies } = (await ask(url, 'block', { height: String(height) })).block.data
    for (const [index, body] of bodies.entries()) {
      const result = results[index]
      if (result === undefined) throw new Error(`transaction ${index} of block ${height} has no result`)
      const bytes = fromBase64(body)
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      const { code, codespace = '', log = '', gas_used: gasUsed, gas_wanted: gasWanted } = result
      txs.push({
        ...{ hash, height, bytes, code, codespace, log },
        data: fromBase64(result.data ?? ''),
        events: result.events.map(readEvent),
        gasUsed: Number(gasUsed),
        gasWanted: Number(gasWanted)
      })
    }
  }
  return txs
}

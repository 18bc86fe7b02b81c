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

export function readEvent({ type = '', attributes }: WrittenEvent): SubmissionEvent {
  return { type, attributes: (attributes ?? []).map(({ key = '', value = '' }) => ({ key, value })) }
}

/** Retries, because a node might close a keep-alive connection just as the connection is reused. */
async function ask(url: string, method: string, params?: object) {
  const response = () => rpc(url, method, params).catch(() => undefined)
  return Object(await until(async () => (await response())?.result, `${url} responds to ${method}`))
}

/** Reads all transactions over RPC. @throws Error if the node has deleted blocks, or a transaction has no result */
export async function readBlocks(url: string): Promise<BlockTx[]> {
  const { sync_info } = await ask(url, 'status')
  const { earliest_block_height: earliest, latest_block_height: newest } = sync_info
  const { initial_height: initial } = (await ask(url, 'genesis')).genesis
  if (earliest !== initial) throw new Error(`${url} has no blocks before ${earliest}`)
  const txs: BlockTx[] = []
  for (let height = Number(initial); height <= Number(newest); height++) {
    const { txs_results: results } = await ask(url, 'block_results', { height: String(height) })
    if (!results?.length) continue
    const { txs: bodies } = (await ask(url, 'block', { height: String(height) })).block.data
    for (const [index, body] of bodies.entries()) {
      const result = results[index]
      if (result === undefined) throw new Error(`transaction ${index} of block ${height} has no result`)
      const bytes = fromBase64(body)
      const hash = createHash('sha256').update(bytes).digest('hex').toUpperCase()
      const { code, codespace = '', log = '' } = result
      const [data, events] = [fromBase64(result.data ?? ''), result.events.map(readEvent)]
      const gas = { gasUsed: Number(result.gas_used), gasWanted: Number(result.gas_wanted) }
      txs.push({ hash, height, bytes, code, codespace, log, data, events, ...gas })
    }
  }
  return txs
}

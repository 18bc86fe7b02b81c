import { createHash } from 'node:crypto'
import { shorten } from '../shorten.ts'
import type { ChainBlock } from '../types.ts'
import { Block, BlockResults } from './answer-shapes.ts'
import { fromBase64 } from './base64.ts'

/** @returns the hash of a transaction on the chain: sha256, upper-case hex */
export function transactionHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase()
}

/**
 * Joins a block with its results, both as the node wrote them.
 * @throws Error unless both are of that height and there is a readable hash, and one result per transaction
 */
export function toChainBlock(height: number, found: unknown, answer: unknown): ChainBlock {
  // Every later block is compared with the stored hash: a broken one would make the right chain a foreign one for good.
  if (!Block.Check(found)) throw new Error(`block ${height} cannot be read`)
  if (!BlockResults.Check(answer)) throw new Error(`the results of block ${height} cannot be read`)
  const { header, data } = found.block
  const txs = data.txs ?? []
  const results = answer.txs_results ?? []
  if (header.height !== String(height) || answer.height !== String(height)) {
    throw new Error(`the answer to block ${height} is another block`)
  }
  if (results.length !== txs.length) {
    throw new Error(`block ${height} has ${txs.length} transactions and ${results.length} results`)
  }
  const transactions = results.map((result, index) => ({
    ...identityOf(txs[index] ?? ''),
    code: result.code ?? 0,
    codespace: result.codespace ?? '',
    log: shorten(result.log ?? ''),
    data: fromBase64(result.data ?? ''),
    events: (result.events ?? []).map(({ type, attributes }) => ({
      type,
      attributes: (attributes ?? []).map(({ key, value }) => ({ key: key ?? '', value: value ?? '' }))
    })),
    gasWanted: BigInt(result.gas_wanted ?? 0),
    gasUsed: BigInt(result.gas_used ?? 0)
  }))
  return {
    chainId: header.chain_id,
    height,
    hash: found.block_id.hash.toUpperCase(),
    previousHash: header.last_block_id.hash.toUpperCase() || undefined,
    transactions
  }
}

function identityOf(base64: string) {
  const bytes = fromBase64(base64)
  return { hash: transactionHash(bytes), bytes }
}

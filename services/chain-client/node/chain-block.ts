import { createHash } from 'node:crypto'
import { fromBase64, toHex } from '@cosmjs/encoding'
import type { tendermint37 } from '@cosmjs/tendermint-rpc'
import { shorten } from '../shorten.ts'
import type { ChainBlock } from '../types.ts'
import { BlockResults } from './answer-shapes.ts'

/** The length of a SHA-256 hash. */
const HASH_BYTES = 32

const upperHex = (bytes: Uint8Array) => toHex(bytes).toUpperCase()

/** @returns the hash of a transaction on the chain: sha256, upper-case hex */
export function transactionHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase()
}

const identityOf = (bytes: Uint8Array) => ({ hash: transactionHash(bytes), bytes })

/**
 * Joins a block with its results.
 * @throws Error unless both are of that height and there is a readable hash, and one result per transaction
 */
export function toChainBlock(
  height: number,
  { blockId, block }: Pick<tendermint37.BlockResponse, 'blockId' | 'block'>,
  answer: unknown
): ChainBlock {
  if (!BlockResults.Check(answer)) throw new Error(`the results of block ${height} cannot be read`)
  const results = answer.txs_results ?? []
  if (block.header.height !== height || answer.height !== String(height)) {
    throw new Error(`the answer to block ${height} is another block`)
  }
  // Every later block is compared with the stored hash: a broken one would make the right chain a foreign one for good.
  if (blockId.hash.length !== HASH_BYTES) throw new Error(`the hash of block ${height} cannot be read`)
  if (results.length !== block.txs.length) {
    throw new Error(`block ${height} has ${block.txs.length} transactions and ${results.length} results`)
  }
  const { chainId, lastBlockId } = block.header
  const transactions = results.map((result, index) => ({
    ...identityOf(block.txs[index] ?? new Uint8Array()),
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
  const previousHash = lastBlockId ? upperHex(lastBlockId.hash) : undefined
  return { chainId, height, hash: upperHex(blockId.hash), previousHash, transactions }
}

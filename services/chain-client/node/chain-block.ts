import { fromBase64 } from '@cosmjs/encoding'
import type { CheckedBy } from '../../schema-check.ts'
import type { BlockTransaction, ChainBlock } from '../contract.ts'
import { fromHex, headerHash, merkleRoot, resultsHash, sha256, upperHex } from './hashes.ts'
import type { Block, BlockResults } from './responses.ts'

/** @throws RangeError outside the signed 64-bit range, because such an integer would be hashed as another number */
function integer(digits: string | undefined): bigint | undefined {
  if (digits === undefined) return undefined
  const value = BigInt(digits)
  if (BigInt.asIntN(64, value) !== value)
    throw new RangeError(`gas_wanted or gas_used does not fit in a signed 64-bit integer: ${digits}`)
  return value
}

/** Returns the hash of a transaction: SHA-256 in upper-case hex. */
export function transactionHash(bytes: Uint8Array): string {
  return upperHex(sha256(bytes))
}

/**
 * Combines a block with its results. The block's hash covers its transactions.
 * @throws Error unless both are for `height`, the hashes match, and there is one result per transaction
 */
export function toChainBlock(
  height: number,
  { block_id, block: { header, data } }: CheckedBy<typeof Block>,
  { height: resultsHeight, txs_results }: CheckedBy<typeof BlockResults>
): ChainBlock {
  const bodies = (data.txs ?? []).map(fromBase64)
  const results = txs_results ?? []
  if (header.height !== String(height) || resultsHeight !== String(height)) {
    throw new Error(`the response for block ${height} is for a different height`)
  }
  if (results.length !== bodies.length) {
    throw new Error(`block ${height} has ${bodies.length} transactions and ${results.length} results`)
  }
  if (!merkleRoot(bodies.map(sha256)).equals(fromHex(header.data_hash))) {
    throw new Error(`the transactions of block ${height} do not match the data hash in its header`)
  }
  const hash = upperHex(headerHash(header))
  if (block_id.hash.toUpperCase() !== hash) {
    throw new Error(`the header of block ${height} does not match the block hash`)
  }
  const transactions = results.map((result, index): BlockTransaction => {
    const bytes: Uint8Array = bodies[index] ?? new Uint8Array()
    const data: Uint8Array = fromBase64(result.data ?? '')
    return {
      hash: transactionHash(bytes),
      bytes,
      code: result.code,
      codespace: result.codespace ?? '',
      log: result.log ?? '',
      data,
      events: (result.events ?? []).map(({ type, attributes }) => ({
        type: type ?? '',
        attributes: (attributes ?? []).map(({ key, value }) => ({ key: key ?? '', value: value ?? '' }))
      })),
      gasWanted: integer(result.gas_wanted),
      gasUsed: integer(result.gas_used)
    }
  })
  return {
    chainId: header.chain_id,
    height,
    hash,
    previousHash: upperHex(fromHex(header.last_block_id.hash)) || undefined,
    time: Date.parse(header.time),
    resultsHash: upperHex(resultsHash(transactions)),
    lastResultsHash: upperHex(fromHex(header.last_results_hash)),
    transactions
  }
}

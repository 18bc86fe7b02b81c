import { fromBase64 } from '@cosmjs/encoding'
import type { CheckedBy } from '../../schema-check.ts'
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

/** SHA-256 in upper-case hex. */
export function transactionHash(bytes: Uint8Array): string {
  return upperHex(sha256(bytes))
}

/**
 * Combines a block with its results. The block's hash covers its transactions (interface 19.19).
 * @throws Error unless both are for `height`, the hashes match, and there is one result per transaction
 */
export function toChainBlock(
  height: number,
  { block_id, block: { header, data } }: CheckedBy<typeof Block>,
  { height: resultsHeight, txs_results }: CheckedBy<typeof BlockResults>
) {
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
  const transactions = results.map((result, index) => {
    const bytes: Uint8Array = bodies[index] ?? new Uint8Array()
    /** Encoded TxMsgData; empty when the transaction failed. */
    const data: Uint8Array = fromBase64(result.data ?? '')
    return {
      hash: transactionHash(bytes),
      /** Encoded TxRaw. A transaction of another wallet can be arbitrary bytes. */
      bytes,
      code: result.code,
      codespace: result.codespace ?? '',
      /** In full, because it is parsed. `shorten` truncates logs before they are logged or stored. */
      log: result.log ?? '',
      data,
      events: (result.events ?? []).map(({ type, attributes }) => ({
        type: type ?? '',
        attributes: (attributes ?? []).map(({ key, value }) => ({ key: key ?? '', value: value ?? '' }))
      })),
      /** Any 64-bit number: in a transaction of another wallet, it can exceed the safe integer range. */
      gasWanted: integer(result.gas_wanted),
      gasUsed: integer(result.gas_used)
    }
  })
  return {
    chainId: header.chain_id,
    height,
    hash,
    /** Undefined at height 1. */
    previousHash: upperHex(fromHex(header.last_block_id.hash)) || undefined,
    /** In milliseconds since the epoch. */
    time: Date.parse(header.time),
    resultsHash: upperHex(resultsHash(transactions)),
    /** The hash of the previous block's results. */
    lastResultsHash: upperHex(fromHex(header.last_results_hash)),
    transactions
  }
}

/** A committed block and its results. Hashes are upper-case hex. */
export type ChainBlock = ReturnType<typeof toChainBlock>

export type BlockTransaction = ChainBlock['transactions'][number]
export type ChainEvent = BlockTransaction['events'][number]

import type { ChainBlock } from '../types.ts'
import { Block, BlockResults } from './answer-shapes.ts'
import { headerHash, merkleRoot, resultsHash, sha256 } from './hashes.ts'

const upperHex = (bytes: Buffer) => bytes.toString('hex').toUpperCase()

/** Node skips characters that are not base64, so the length shows whether there were any. @throws RangeError */
function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (text.length % 4 !== 0 || bytes.length !== Buffer.byteLength(text, 'base64')) {
    throw new RangeError('this is not base64')
  }
  return bytes
}

/** @returns the hash of a transaction on the chain: sha256, upper-case hex */
export function transactionHash(bytes: Uint8Array): string {
  return upperHex(sha256(bytes))
}

/**
 * Joins a block with its results, both as the node wrote them. The block's hash covers its header, and with that its
 * transactions (interface 19.19).
 * @throws Error unless both are of that height, the hashes are right, and there is one result per transaction
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
  const bodies = txs.map(identityOf)
  const dataHash = upperHex(merkleRoot(bodies.map(({ hash }) => Buffer.from(hash, 'hex'))))
  if (header.data_hash.toUpperCase() !== dataHash) {
    throw new Error(`the transactions of block ${height} are not those of its header`)
  }
  const hash = upperHex(headerHash(header))
  if (found.block_id.hash.toUpperCase() !== hash) {
    throw new Error(`the header of block ${height} does not have the hash of the block`)
  }
  const transactions = results.map((result, index) => ({
    ...(bodies[index] ?? identityOf('')),
    code: result.code,
    codespace: result.codespace ?? '',
    log: result.log ?? '',
    data: fromBase64(result.data ?? ''),
    events: (result.events ?? []).map(({ type, attributes }) => ({
      type: type ?? '',
      attributes: (attributes ?? []).map(({ key, value }) => ({ key: key ?? '', value: value ?? '' }))
    })),
    gasWanted: integer(result.gas_wanted),
    gasUsed: integer(result.gas_used)
  }))
  return {
    chainId: header.chain_id,
    height,
    hash,
    previousHash: header.last_block_id.hash.toUpperCase() || undefined,
    time: Date.parse(header.time),
    resultsHash: upperHex(resultsHash(transactions)),
    lastResultsHash: header.last_results_hash.toUpperCase(),
    transactions
  }
}

/** @throws RangeError for a number beyond 64 bits, whose hash would be that of another one */
function integer(digits: string | undefined): bigint | undefined {
  if (digits === undefined) return undefined
  const value = BigInt(digits)
  if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${digits} has more than 64 bits`)
  return value
}

function identityOf(base64: string) {
  const bytes = fromBase64(base64)
  return { hash: transactionHash(bytes), bytes }
}

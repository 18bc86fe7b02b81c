import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { toTimestamp } from 'cosmjs-types/helpers'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import { merkleRoot, sha256, upperHex } from '../hashes.ts'
import type { TxResult } from '../tx/context.ts'

export const BLOCK_VERSION = 11n

export const EMPTY_HASH = upperHex(sha256())

/**
 * The fields that the block hash covers. Hashes are upper-case hex. Those of commits, validators and parameters depend
 * on the contents, but are not the Merkle roots that a real node computes.
 */
export interface Header {
  chainId: string
  height: number
  time: string
  /** Empty in the first block. */
  lastBlockHash: string
  lastCommitHash: string
  dataHash: string
  validatorsHash: string
  consensusHash: string
  /** The application's state hash after the previous block. */
  appHash: string
  /** The hash of the previous block's results. */
  lastResultsHash: string
  proposerAddress: string
}

/** Returns the part set hash of a block, which always has a single part. */
export function partsHash(blockHash: string): string {
  return upperHex(sha256('parts', blockHash))
}

const fromHex = (hex: string) => Buffer.from(hex, 'hex')
/** Protobuf tags of field 1 in the wrapper types. */
const LENGTH_DELIMITED = 10
const VARINT = 8

const bytesValue = (hex: string) =>
  hex === '' ? new Uint8Array() : BinaryWriter.create().uint32(LENGTH_DELIMITED).bytes(fromHex(hex)).finish()

function blockId(hash: string): Uint8Array {
  const partSetHeader =
    hash === '' ? { total: 0, hash: new Uint8Array() } : { total: 1, hash: fromHex(partsHash(hash)) }
  return BlockID.encode({ hash: fromHex(hash), partSetHeader }).finish()
}

/** Computes a block hash as CometBFT does: the Merkle root of the header fields. */
export function headerHash(header: Header): string {
  const fields = [
    Consensus.encode({ block: BLOCK_VERSION, app: 0n }).finish(),
    BinaryWriter.create().uint32(LENGTH_DELIMITED).string(header.chainId).finish(),
    BinaryWriter.create().uint32(VARINT).int64(BigInt(header.height)).finish(),
    Timestamp.encode(toTimestamp(new Date(header.time))).finish(),
    blockId(header.lastBlockHash),
    ...[
      header.lastCommitHash,
      header.dataHash,
      header.validatorsHash,
      header.validatorsHash,
      header.consensusHash,
      header.appHash,
      header.lastResultsHash,
      EMPTY_HASH,
      header.proposerAddress
    ].map(bytesValue)
  ]
  return upperHex(merkleRoot(fields))
}

export function resultsHash(results: readonly TxResult[]): string {
  const leaves = results.map(({ code, data, gasWanted, gasUsed }) =>
    ExecTxResult.encode(ExecTxResult.fromPartial({ code, data, gasWanted, gasUsed })).finish()
  )
  return upperHex(merkleRoot(leaves))
}

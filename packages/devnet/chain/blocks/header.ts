import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import { merkleRoot, sha256, upperHex } from '../hashes.ts'
import type { TxResult } from '../tx/results.ts'

/** CometBFT's block version. */
export const BLOCK_VERSION = 11n

/** The hash of empty content in a header. */
export const EMPTY_HASH = upperHex(sha256())

/**
 * The fields that the block hash covers. Hashes are upper-case hex, `time` is RFC 3339. The hashes of commits,
 * validators and parameters depend on the contents, but are not the Merkle roots that a real node computes.
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

/** Returns the part set hash of a block. The development network sends each block as a single part. */
export function partsHash(blockHash: string): string {
  return upperHex(sha256('parts', blockHash))
}

const fromHex = (hex: string) => Buffer.from(hex, 'hex')
/** Protobuf tags of field 1: LENGTH_DELIMITED in BytesValue and StringValue, VARINT in Int64Value. */
const LENGTH_DELIMITED = 10
const VARINT = 8

const bytesValue = (hex: string) =>
  hex === '' ? new Uint8Array() : BinaryWriter.create().uint32(LENGTH_DELIMITED).bytes(fromHex(hex)).finish()

function timestamp(time: string): Uint8Array {
  const milliseconds = Date.parse(time)
  const seconds = Math.floor(milliseconds / 1000)
  const nanos = (milliseconds - seconds * 1000) * 1_000_000
  return Timestamp.encode({ seconds: BigInt(seconds), nanos }).finish()
}

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
    timestamp(header.time),
    blockId(header.lastBlockHash),
    bytesValue(header.lastCommitHash),
    bytesValue(header.dataHash),
    bytesValue(header.validatorsHash),
    bytesValue(header.validatorsHash),
    bytesValue(header.consensusHash),
    bytesValue(header.appHash),
    bytesValue(header.lastResultsHash),
    bytesValue(EMPTY_HASH),
    bytesValue(header.proposerAddress)
  ]
  return upperHex(merkleRoot(fields))
}

/** Computes the hash of a block's results for the next header. It covers code, data and gas. */
export function resultsHash(results: readonly TxResult[]): string {
  const leaves = results.map(({ code, data, gasWanted, gasUsed }) =>
    ExecTxResult.encode(ExecTxResult.fromPartial({ code, data, gasWanted, gasUsed })).finish()
  )
  return upperHex(merkleRoot(leaves))
}

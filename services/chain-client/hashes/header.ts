import { BinaryWriter } from 'cosmjs-types/binary'
import { merkleRoot } from './merkle.ts'

/** A block's header as a node writes it: numbers as digits, hashes in hex, empty texts where there is no block before. */
export interface Header {
  version: { block: string; app?: string }
  chain_id: string
  height: string
  /** RFC 3339 with up to nine digits of a second. */
  time: string
  last_block_id: { hash: string; parts: { total: number; hash: string } }
  last_commit_hash: string
  data_hash: string
  validators_hash: string
  next_validators_hash: string
  consensus_hash: string
  app_hash: string
  last_results_hash: string
  evidence_hash: string
  proposer_address: string
}

/** The field numbers of a message, as tags. */
const VARINTS = { first: 8, second: 16 }
const TEXTS = { first: 10, second: 18 }

const fromHex = (hex: string) => Buffer.from(hex, 'hex')

/** A field with its default value is not encoded (proto3). */
function varint(writer: BinaryWriter, tag: number, value: bigint): BinaryWriter {
  return value === 0n ? writer : writer.uint32(tag).int64(value)
}

function bytes(writer: BinaryWriter, tag: number, value: Uint8Array): BinaryWriter {
  return value.length === 0 ? writer : writer.uint32(tag).bytes(value)
}

function pair(first: bigint, second: bigint): Uint8Array {
  return varint(varint(BinaryWriter.create(), VARINTS.first, first), VARINTS.second, second).finish()
}

const bytesValue = (value: Uint8Array) => bytes(BinaryWriter.create(), TEXTS.first, value).finish()

function timestamp(time: string): Uint8Array {
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.')
  return pair(BigInt(Date.parse(`${seconds}Z`) / 1000), BigInt(fraction.padEnd(9, '0')))
}

function blockId({ hash, parts }: Header['last_block_id']): Uint8Array {
  const header = varint(BinaryWriter.create(), VARINTS.first, BigInt(parts.total))
  const partSetHeader = bytes(header, TEXTS.second, fromHex(parts.hash)).finish()
  // This one is encoded even when it is empty.
  return bytes(BinaryWriter.create(), TEXTS.first, fromHex(hash))
    .uint32(TEXTS.second)
    .bytes(partSetHeader)
    .finish()
}

/** The hash of a block: the Merkle root of the fields of its header, each in its protobuf encoding (CometBFT 0.37 to 1.x). */
export function headerHash(header: Header): Buffer {
  const { version, chain_id, height, time, last_block_id } = header
  return merkleRoot([
    pair(BigInt(version.block), BigInt(version.app ?? 0)),
    bytesValue(Buffer.from(chain_id)),
    varint(BinaryWriter.create(), VARINTS.first, BigInt(height)).finish(),
    timestamp(time),
    blockId(last_block_id),
    bytesValue(fromHex(header.last_commit_hash)),
    bytesValue(fromHex(header.data_hash)),
    bytesValue(fromHex(header.validators_hash)),
    bytesValue(fromHex(header.next_validators_hash)),
    bytesValue(fromHex(header.consensus_hash)),
    bytesValue(fromHex(header.app_hash)),
    bytesValue(fromHex(header.last_results_hash)),
    bytesValue(fromHex(header.evidence_hash)),
    bytesValue(fromHex(header.proposer_address))
  ])
}

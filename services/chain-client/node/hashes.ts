import { hash } from 'node:crypto'
import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp'
import { ExecTxResult } from 'cosmjs-types/tendermint/abci/types'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import type { Header } from './responses.ts'

// The prefixes of hashed leaves and inner nodes. This file computes the hashes, because CosmJS does not export its
// functions, and its own block hash rejects the block at height 1.

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

export function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer')
}

export const upperHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase()
export const fromHex = (hex: string) => Buffer.from(hex, 'hex')

/** Computes the Merkle root as CometBFT does (RFC 6962). */
export function merkleRoot(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves
  if (first === undefined) return sha256(new Uint8Array())
  if (leaves.length === 1) return sha256(Buffer.concat([LEAF, first]))
  const split = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  return sha256(Buffer.concat([INNER, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split))]))
}

/** Encodes a message whose only field is this value. An empty value is omitted (proto3). */
const wrapped = (value: Uint8Array) =>
  value.length === 0 ? value : BinaryWriter.create().uint32(10).bytes(value).finish()
const wrappedInteger = (value: bigint) => BinaryWriter.create().uint32(8).int64(value).finish()

function timestamp(time: string): Timestamp {
  const [seconds = '', fraction = ''] = time.replace(/Z$/, '').split('.')
  return { seconds: BigInt(Date.parse(`${seconds}Z`) / 1000), nanos: Number(fraction.padEnd(9, '0')) }
}

/** The Merkle root of the encoded header fields (CometBFT 0.37 to 1.x). */
export function headerHash(header: Header): Buffer {
  const { version, last_block_id: last } = header
  const parts = { total: last.parts.total, hash: fromHex(last.parts.hash) }
  return merkleRoot([
    Consensus.encode({ block: BigInt(version.block), app: BigInt(version.app ?? 0) }).finish(),
    wrapped(Buffer.from(header.chain_id)),
    wrappedInteger(BigInt(header.height)),
    Timestamp.encode(timestamp(header.time)).finish(),
    BlockID.encode({ hash: fromHex(last.hash), partSetHeader: parts }).finish(),
    ...[
      header.last_commit_hash,
      header.data_hash,
      header.validators_hash,
      header.next_validators_hash,
      header.consensus_hash,
      header.app_hash,
      header.last_results_hash,
      header.evidence_hash,
      header.proposer_address
    ].map(hex => wrapped(fromHex(hex)))
  ])
}

type Gas = bigint | undefined

/** The hash in the next block's header. It covers no logs, codespaces or events. */
export function resultsHash(
  results: readonly { code: number; data: Uint8Array; gasWanted?: Gas; gasUsed?: Gas }[]
): Buffer {
  return merkleRoot(
    results.map(({ code, data, gasWanted = 0n, gasUsed = 0n }) =>
      ExecTxResult.encode(ExecTxResult.fromPartial({ code, data, gasWanted, gasUsed })).finish()
    )
  )
}

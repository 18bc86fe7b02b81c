import { createHash } from 'node:crypto'
import type { App } from '../app.ts'
import type { ConsensusParams } from '../chain.ts'
import { dataHash, sha256, txHash, upperHex } from '../hashes.ts'
import { serialize } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { rfc3339 } from '../time.ts'
import type { DecodedTx } from '../tx/decode.ts'
import { runTx } from '../tx/run.ts'
import type { Validator } from '../validator.ts'
import type { Block, CommittedTx } from './block-store.ts'
import { EMPTY_HASH, type Header, headerHash, resultsHash } from './header.ts'

interface ProducerOptions {
  app: App
  /** Reads a transaction's bytes. @throws AbciError */
  decode(bytes: Uint8Array, hash: string): DecodedTx
  validator: Validator
  consensusParams(): ConsensusParams
  /** The time of the first block, RFC 3339. */
  genesisTime: string
}

/** Returns the current time, or the block's time plus 1 ms if that is later. */
function voteTime(blockTime: string): string {
  return rfc3339(Math.max(Date.now(), Date.parse(blockTime) + 1))
}

/**
 * Computes the state hash after a block from the previous hash and the values that the block wrote. A block without
 * changes keeps the previous hash.
 */
function nextAppHash(previous: string, store: Store): string {
  const keys = store.changedKeys().sort()
  if (keys.length === 0) return previous
  const hash = createHash('sha256').update(previous)
  for (const key of keys) {
    hash.update(`\n${key}=${serialize(store.get(key))}`)
  }
  return upperHex(hash.digest())
}

/** Creates the block producer, which executes transactions and commits their changes. */
export function createProducer(options: ProducerOptions) {
  const { app, decode, validator, consensusParams, genesisTime } = options
  const validatorsHash = upperHex(sha256(validator.pubKey))
  let appHash = nextAppHash('', app.store)
  app.store.commit(0)

  return {
    /** The application's state hash after the newest block. */
    get appHash() {
      return appHash
    },
    produce(bytesOfTxs: readonly Uint8Array[], previous: Block | undefined): Block {
      const height = (previous?.height ?? 0) + 1
      const context = { state: app.store, height, time: previous?.committedAt ?? genesisTime }
      const txs = bytesOfTxs.map((bytes, index): CommittedTx => {
        const hash = txHash(bytes)
        return {
          hash,
          height,
          index,
          bytes,
          result: runTx(app, () => decode(bytes, hash), 'deliver', context)
        }
      })
      const last = height === app.initialHeight ? undefined : previous
      const { maxBytes, maxGas } = consensusParams()
      const header: Header = {
        chainId: app.chainId,
        height,
        time: context.time,
        lastBlockHash: last?.hash ?? '',
        lastCommitHash: last ? upperHex(sha256('commit', last.hash)) : EMPTY_HASH,
        dataHash: dataHash(txs.map(({ hash }) => hash)),
        validatorsHash,
        consensusHash: upperHex(sha256(`${maxBytes}/${maxGas}`)),
        // The first block has no previous state.
        appHash: previous === undefined ? EMPTY_HASH : appHash,
        lastResultsHash: resultsHash(last?.txs.map(({ result }) => result) ?? []),
        proposerAddress: validator.address
      }
      appHash = nextAppHash(appHash, app.store)
      app.store.commit(height)
      const committedAt = voteTime(context.time)
      return { ...header, hash: headerHash(header), committedAt, txs }
    }
  }
}

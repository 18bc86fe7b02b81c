import { createHash } from 'node:crypto'
import { headerHash, merkleRoot, resultsHash } from '../../../../services/chain-client/node/hashes.ts'
import { sha256, txHash, upperHex } from '../hashes.ts'
import { serialize } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { App } from '../tx/app.ts'
import { runTx } from '../tx/run.ts'
import type { Block, CommittedTx } from './block-store.ts'
import { EMPTY_HASH, encodeHeader, type Header } from './header.ts'

/** Hashes the values that a block wrote. A block without changes keeps the previous hash. */
function nextAppHash(previous: string, store: Store): string {
  const keys = store.changedKeys().sort()
  if (keys.length === 0) return previous
  const hash = createHash('sha256').update(previous)
  for (const key of keys) {
    hash.update(`\n${key}=${serialize(store.get(key))}`)
  }
  return upperHex(hash.digest())
}

/** @param now the clock, in milliseconds since the epoch */
export function createProducer(app: App, now = Date.now) {
  // The validator's key depends only on the chain id, so it is the same at every start. It never signs.
  const pubKey = sha256('development validator of ', app.chainId)
  const validator = { address: upperHex(sha256(pubKey).subarray(0, 20)), pubKey }
  const validatorsHash = upperHex(sha256(pubKey))
  const genesisTime = new Date(now()).toISOString()
  let appHash = nextAppHash('', app.store)
  app.store.commit(0)

  return {
    validator,
    produce(bytesOfTxs: readonly Uint8Array[], previous: Block | undefined): Block {
      const height = (previous?.height ?? 0) + 1
      const time = previous?.committedAt ?? genesisTime
      const context = { state: app.store, height }
      const txs = bytesOfTxs.map(
        (bytes, index): CommittedTx => ({
          hash: txHash(bytes),
          height,
          index,
          bytes,
          result: runTx(app, bytes, 'deliver', context)
        })
      )
      const last = height === app.initialHeight ? undefined : previous
      const header: Header = {
        chainId: app.chainId,
        height,
        time,
        lastBlockHash: last?.hash ?? '',
        lastCommitHash: last ? upperHex(sha256('commit', last.hash)) : EMPTY_HASH,
        dataHash: upperHex(merkleRoot(txs.map(({ hash }) => Buffer.from(hash, 'hex')))),
        validatorsHash,
        consensusHash: upperHex(sha256(`${app.maxBlockBytes}/${app.maxBlockGas}`)),
        // The first block has no previous state.
        appHash: previous === undefined ? EMPTY_HASH : appHash,
        lastResultsHash: upperHex(resultsHash(last?.txs.map(({ result }) => result) ?? [])),
        proposerAddress: validator.address
      }
      appHash = nextAppHash(appHash, app.store)
      app.store.commit(height)
      const committedAt = new Date(Math.max(now(), Date.parse(time) + 1)).toISOString()
      return { ...header, hash: upperHex(headerHash(encodeHeader(header))), committedAt, txs }
    }
  }
}

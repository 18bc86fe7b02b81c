import { createHash } from 'node:crypto'
import type { App } from '../app.ts'
import { type ChainEvent, createEventList } from '../events.ts'
import { dataHash, sha256, txHash, upperHex } from '../hashes.ts'
import { serialize } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { RunContext } from '../tx/context.ts'
import type { DecodedTx } from '../tx/decode.ts'
import { failedRun, type TxResult, toTxResult } from '../tx/results.ts'
import { runTx } from '../tx/run.ts'
import type { Block, CommittedTx } from './block.ts'

export interface ProducerOptions {
  app: App
  /** Reads a transaction's bytes. @throws AbciError */
  decode(bytes: Uint8Array, hash: string): DecodedTx
  validatorAddress: string
}

/** Makes blocks one after the other and commits what they do. */
export interface Producer {
  /** The application's state hash after the newest block. */
  readonly appHash: string
  produce(txs: readonly Uint8Array[], previous: Block | undefined): Block
}

/** The current time, but always later than the previous block's. */
function nextTime(previous: Block | undefined): string {
  const earliest = previous ? Date.parse(previous.time) + 1 : 0
  return new Date(Math.max(Date.now(), earliest)).toISOString()
}

/** The state hash after a block: the one before it and the values that the block left in the keys it touched. */
function nextAppHash(previous: string, height: number, store: Store): string {
  const hash = createHash('sha256').update(`${previous}/${height}`)
  for (const key of store.changedKeys().sort()) {
    hash.update(`\n${key}=${serialize(store.get(key))}`)
  }
  return upperHex(hash.digest())
}

export function createProducer({ app, decode, validatorAddress }: ProducerOptions): Producer {
  let appHash = nextAppHash('', 0, app.store)
  app.store.commit(0)

  function deliver(bytes: Uint8Array, hash: string, context: RunContext): TxResult {
    try {
      return toTxResult(runTx(app, decode(bytes, hash), 'deliver', context))
    } catch (thrown) {
      return toTxResult(failedRun(thrown))
    }
  }

  function endBlock(context: RunContext): ChainEvent[] {
    const { events, emit } = createEventList()
    for (const module of app.modules) module.endBlock?.({ ...context, txHash: '', emit })
    return events
  }

  return {
    get appHash() {
      return appHash
    },
    produce(bytesOfTxs, previous) {
      const height = (previous?.height ?? 0) + 1
      const context = { state: app.store, height, time: nextTime(previous) }
      const txs = bytesOfTxs.map((bytes, index): CommittedTx => {
        const hash = txHash(bytes)
        return { hash, height, index, bytes, result: deliver(bytes, hash, context) }
      })
      const endBlockEvents = endBlock(context)
      const header = {
        chainId: app.chainId,
        height,
        time: context.time,
        lastBlockHash: height === app.initialHeight ? '' : (previous?.hash ?? ''),
        appHash,
        dataHash: dataHash(txs.map(({ hash }) => hash))
      }
      const hash = upperHex(sha256(JSON.stringify([validatorAddress, header])))
      appHash = nextAppHash(appHash, height, app.store)
      app.store.commit(height)
      return { ...header, hash, txs, beginBlockEvents: [], endBlockEvents }
    }
  }
}

import type { App } from '../app.ts'
import { toAbciError } from '../errors.ts'
import { createEventList } from '../events.ts'
import { dataHash, nextAppHash, sha256, txHash, upperHex } from '../hashes.ts'
import type { DecodedTx } from '../tx/decode.ts'
import { type RunContext, runTx } from '../tx/run.ts'
import type { Block, ChainEvent, CommittedTx, TxResult } from '../types.ts'

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

/** The present, but always after the previous block. */
function nextTime(previous: Block | undefined): string {
  const earliest = previous ? Date.parse(previous.time) + 1 : 0
  return new Date(Math.max(Date.now(), earliest)).toISOString()
}

export function createProducer({ app, decode, validatorAddress }: ProducerOptions): Producer {
  let appHash = nextAppHash('', 0, app.store)
  app.store.commit(0)

  function deliver(bytes: Uint8Array, hash: string, context: RunContext): TxResult {
    try {
      const { error, ...result } = runTx(app, decode(bytes, hash), 'deliver', context)
      return { ...result, code: error?.code ?? 0, codespace: error?.codespace ?? '', info: '' }
    } catch (thrown) {
      const { code, codespace, message } = toAbciError(thrown)
      const nothing = { data: new Uint8Array(), info: '', gasWanted: 0n, gasUsed: 0n, events: [] }
      return { ...nothing, code, codespace, log: message }
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
        height,
        time: context.time,
        lastBlockHash: previous?.hash ?? '',
        appHash,
        dataHash: dataHash(txs.map(({ hash }) => hash))
      }
      const hash = upperHex(sha256(JSON.stringify([app.chainId, validatorAddress, header])))
      appHash = nextAppHash(appHash, height, app.store)
      app.store.commit(height)
      return { ...header, hash, txs, beginBlockEvents: [], endBlockEvents }
    }
  }
}

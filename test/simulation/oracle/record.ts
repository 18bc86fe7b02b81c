import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { Block } from '../../../packages/devnet/chain/blocks/block-store.ts'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import { msgRequestResponse } from '../../../services/messages/index.ts'
import { isLockName, targetOf, WALLET_ADDRESS } from '../chain/messages.ts'
import { type ModelTransaction, readTransaction } from '../chain/transaction.ts'

/** An execution of a message that succeeded without an `error` event. */
export interface Execution {
  identity: string
  content: string
  height: number
  hash: string
  /** A lock has none. */
  txId: number | undefined
}

export type Record = ReturnType<typeof createRecord>

/** Reads what the wallet's transactions did in each block of the chain. */
export function createRecord(app: App) {
  const record = {
    /** By identity. */
    executions: new Map<string, Execution[]>(),
    /** How often each message has failed as the only message in its transaction, by identity. */
    failedAlone: new Map<string, number>(),
    /** The target of the first message of each identity in a block, executed or not: then everybody knows its seed. */
    firstTargets: new Map<string, string>(),
    /** The transactions that consumed the wallet's sequences. */
    consumed: new Map<number, ModelTransaction>(),
    read({ height, txs }: Block): void {
      for (const { bytes, result } of txs) {
        const sequence = result.events
          .flatMap(({ attributes }) => attributes)
          .find(({ key, value }) => key === 'acc_seq' && value.startsWith(`${WALLET_ADDRESS}/`))
        if (sequence === undefined) continue
        const transaction = readTransaction(app, bytes)
        record.consumed.set(Number(sequence.value.split('/')[1]), transaction)
        const responses = TxMsgData.decode(result.data).msgResponses
        for (const [index, { identity, content, behaviour }] of transaction.requests.entries()) {
          if (!record.firstTargets.has(identity)) record.firstTargets.set(identity, targetOf(content))
          if (result.code !== 0 && transaction.messageCount === 1) {
            record.failedAlone.set(identity, (record.failedAlone.get(identity) ?? 0) + 1)
          }
          if (result.code !== 0 || behaviour === 'refused-by-event') continue
          const { txId } = msgRequestResponse.decode(responses[index]?.value ?? new Uint8Array())
          const execution = {
            identity,
            content,
            height,
            hash: transaction.hash,
            txId: isLockName(identity) ? undefined : Number(txId)
          }
          record.executions.set(identity, [...(record.executions.get(identity) ?? []), execution])
        }
      }
    }
  }
  return record
}

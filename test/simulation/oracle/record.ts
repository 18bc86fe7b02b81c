import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import type { Block } from '../../../packages/devnet/chain/blocks/block-store.ts'
import type { App } from '../../../packages/devnet/chain/tx/app.ts'
import { msgRequestResponse } from '../../../services/messages/index.ts'
import { isLockName, readTransaction, targetOf, WALLET_ADDRESS } from '../chain/messages.ts'

/** An execution of a message that succeeded without an `error` event. A lock has no `txId`. */
export interface Execution {
  identity: string
  content: string
  height: number
  hash: string
  txId: number | undefined
}

export type Record = ReturnType<typeof createRecord>

/** Reads what the wallet's transactions did in each block of the chain. */
export function createRecord(app: App) {
  /** By identity. */
  const executions = new Map<string, Execution[]>()
  /** How often each message has failed as the only message in its transaction, by identity. */
  const failedAlone = new Map<string, number>()
  /** The target of the first message of each identity in a block, executed or not: then everybody knows its seed. */
  const firstTargets = new Map<string, string>()
  /** The transactions that consumed the wallet's sequences. */
  const consumed = new Map<number, ReturnType<typeof readTransaction>>()

  function read({ height, txs }: Block): void {
    for (const { bytes, result } of txs) {
      const sequence = result.events
        .flatMap(({ attributes }) => attributes)
        .find(({ key, value }) => key === 'acc_seq' && value.startsWith(`${WALLET_ADDRESS}/`))
      if (sequence === undefined) continue
      const transaction = readTransaction(app, bytes)
      const { hash, requests, messageCount } = transaction
      consumed.set(Number(sequence.value.split('/')[1]), transaction)
      const responses = TxMsgData.decode(result.data).msgResponses
      for (const [index, { identity, content, behaviour }] of requests.entries()) {
        if (!firstTargets.has(identity)) firstTargets.set(identity, targetOf(content))
        if (result.code !== 0 && messageCount === 1)
          failedAlone.set(identity, (failedAlone.get(identity) ?? 0) + 1)
        if (result.code !== 0 || behaviour === 'refused-by-event') continue
        const response = msgRequestResponse.decode(responses[index]?.value ?? new Uint8Array())
        const txId = isLockName(identity) ? undefined : Number(response.txId)
        const before = executions.get(identity) ?? []
        executions.set(identity, [...before, { identity, content, height, hash, txId }])
      }
    }
  }

  return { executions, failedAlone, firstTargets, consumed, read }
}

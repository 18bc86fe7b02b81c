import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../../devnet/index.ts'
import { createMessageTypes } from '../../../src/services/messages/index.ts'

const { requestTransaction } = createMessageTypes('service')

/** What all blocks together say: the truth that every test of the engine ends with. */
export interface ChainTruth {
  /** How many messages of successful transactions carry each feeId. */
  executions: Map<string, number>
  /** The wallet's sequences in the order in which blocks consumed them. */
  sequences: number[]
  /** Codes of the transactions that failed in a block. */
  failures: number[]
}

/** Reads every block from the first to the newest. */
export function readChain({ chain }: Devnet, address: string): ChainTruth {
  const truth: ChainTruth = { executions: new Map(), sequences: [], failures: [] }
  for (let height = 1; height <= chain.height; height++) {
    for (const { bytes, result } of chain.block(height)?.txs ?? []) {
      for (const { key, value } of result.events.flatMap(({ attributes }) => attributes)) {
        const [owner, sequence] = value.split('/')
        if (key === 'acc_seq' && owner === address) truth.sequences.push(Number(sequence))
      }
      if (result.code !== 0) {
        truth.failures.push(result.code)
        continue
      }
      for (const { typeUrl, value } of TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages) {
        if (typeUrl !== requestTransaction.typeUrl) continue
        const { feeId } = JSON.parse(requestTransaction.decode(value).options)
        truth.executions.set(feeId, (truth.executions.get(feeId) ?? 0) + 1)
      }
    }
  }
  return truth
}

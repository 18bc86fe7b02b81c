import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { Test } from 'tap'
import type { Devnet } from '../../../devnet/index.ts'
import { createMessageTypes, msgRequestResponse } from '../../../services/messages/index.ts'
import type { Submission } from '../../../services/submission/types.ts'
import { type BlockTx, readBlocks } from './read-blocks.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')

/** One message of a successful transaction that the chain gave a transaction id. */
export interface Execution {
  txId: number
  transactionHash: string
  height: number
}

/** The feeId that a transfer or a swap carries; undefined for another message. */
function feeIdOf({ typeUrl, value }: Any): string | undefined {
  const type = [requestTransaction, requestSwapTransaction].find(known => known.typeUrl === typeUrl)
  return type && JSON.parse(type.decode(value).options).feeId
}

/** What all blocks together contain; every test of the engine is decided by it. */
export interface ChainTruth {
  /** How many messages of successful transactions carry each feeId. */
  executions: Map<string, number>
  /** By feeId, the same messages without those that the chain refused by an event. */
  requests: Map<string, Execution[]>
  /** The wallet's sequences in the order in which blocks consumed them; an unordered transaction consumes none. */
  sequences: number[]
  /** Codes of the transactions that failed in a block. */
  failures: number[]
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function truthOf(txs: Iterable<BlockTx>, address: string): ChainTruth {
  const truth: ChainTruth = { executions: new Map(), requests: new Map(), sequences: [], failures: [] }
  for (const { hash, height, bytes, code, data, attributes } of txs) {
    const { messages, unordered } = TxBody.decode(TxRaw.decode(bytes).bodyBytes)
    for (const { key, value } of attributes) {
      const [owner, sequence] = value.split('/')
      if (key === 'acc_seq' && owner === address && !unordered) truth.sequences.push(Number(sequence))
    }
    if (code !== 0) {
      truth.failures.push(code)
      continue
    }
    const { msgResponses } = TxMsgData.decode(data)
    for (const [index, message] of messages.entries()) {
      const feeId = feeIdOf(message)
      if (feeId === undefined) continue
      truth.executions.set(feeId, (truth.executions.get(feeId) ?? 0) + 1)
      const txId = Number(msgRequestResponse.decode(msgResponses[index]?.value ?? new Uint8Array()).txId)
      if (txId > 0) append(truth.requests, feeId, { txId, transactionHash: hash, height })
    }
  }
  return truth
}

/** Reads every block from the first to the newest. */
export function readChain({ chain }: Devnet, address: string): ChainTruth {
  const txs: BlockTx[] = []
  for (let height = 1; height <= chain.height; height++) {
    for (const { hash, bytes, result } of chain.block(height)?.txs ?? []) {
      const { code, data, events } = result
      txs.push({
        hash,
        height,
        bytes,
        code,
        data,
        attributes: events.flatMap(({ attributes }) => attributes)
      })
    }
  }
  return truthOf(txs, address)
}

/**
 * The same, read over the RPC of a node that has all blocks.
 * @param earlier nodes of the chains that this one continues, oldest first
 */
export async function readChainOverRpc(
  url: string,
  address: string,
  earlier: readonly string[] = []
): Promise<ChainTruth> {
  const chains = await Promise.all([...earlier, url].map(readBlocks))
  return truthOf(chains.flat(), address)
}

/** An accepted submission, as the service reports it. */
export interface Accepted {
  feeId: string
  submission: Submission
}

/**
 * Compares what the service reports with the chain. Each accepted submission is in exactly one message of one
 * successful transaction, or is finally rejected and in none. Nothing that was not accepted is on the chain. The
 * wallet's sequences have no gaps. No submission is rejected for a wrong sequence, which is the engine's fault.
 */
export function assertExactlyOnce(t: Test, truth: ChainTruth, accepted: readonly Accepted[]): void {
  const reported = new Map<string, Execution[]>([...truth.requests.keys()].map(feeId => [feeId, []]))
  const undecided: string[] = []
  const outOfSequence: string[] = []
  for (const { feeId, submission } of accepted) {
    if (submission.status === 'committed') {
      const { txId, transactionHash, height } = submission
      append(reported, feeId, { txId, transactionHash, height })
    } else if (submission.status === 'rejected') {
      const { code, codespace } = submission.error
      if (code === 32 && codespace === 'sdk') outOfSequence.push(feeId)
    } else undecided.push(`${feeId}: ${submission.status}`)
  }
  t.strictSame(undecided, [], 'every accepted submission is decided')
  t.strictSame(outOfSequence, [], 'no submission was rejected for a wrong sequence')
  t.strictSame(
    new Map([...truth.requests].toSorted()),
    new Map([...reported].toSorted()),
    'the service reports what the chain executed'
  )
  const twice = [...truth.executions].filter(([feeId, count]) => {
    return count > accepted.filter(entry => entry.feeId === feeId).length
  })
  t.strictSame(twice, [], 'nothing is on the chain more often than it was accepted')
  t.strictSame(truth.sequences, [...truth.sequences.keys()], 'no gap in the sequences')
}

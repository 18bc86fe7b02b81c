import type { Test } from 'tap'
import type { Devnet } from '../../../packages/devnet/index.ts'
import type { Submission } from '../../../services/submission/contract.ts'
import { ownRequest } from '../transfer.ts'
import { contradictions, type Requested, type Told } from './compare.ts'
import { type BlockTx, readBlocks, readEvent } from './read-blocks.ts'
import { type ChainMessage, type Fields, readMessages } from './read-messages.ts'

export { contradictions, type Requested, type Told } from './compare.ts'

/** A wallet's history in all blocks. Every engine test compares its results with such a history. */
export interface ChainTruth {
  address: string
  /** The wallet's messages, and each transfer or swap of another wallet, in block order. */
  messages: ChainMessage[]
  /** Number of messages per feeId in successful transactions, including messages rejected by an event. */
  executions: Map<string, number>
  /** The wallet's sequences in the order in which blocks consumed them. Unordered transactions consume no sequence. */
  sequences: number[]
  failures: number[]
}

function truthOf(txs: Iterable<BlockTx>, address: string): ChainTruth {
  const truth: ChainTruth = { address, messages: [], executions: new Map(), sequences: [], failures: [] }
  for (const tx of txs) {
    const { messages, unordered } = readMessages(tx)
    const consumed = tx.events
      .flatMap(({ attributes }) => attributes)
      .filter(({ key, value }) => key === 'acc_seq' && value.startsWith(`${address}/`))
    if (!unordered) truth.sequences.push(...consumed.map(({ value }) => Number(value.split('/')[1])))
    if (tx.code !== 0) truth.failures.push(tx.code)
    truth.messages.push(...messages.filter(({ fields }) => consumed.length > 0 || fields !== undefined))
    for (const { feeId } of messages)
      if (tx.code === 0 && feeId !== undefined)
        truth.executions.set(feeId, (truth.executions.get(feeId) ?? 0) + 1)
  }
  return truth
}

export function readChain({ chain }: Devnet, address: string): ChainTruth {
  const txs: BlockTx[] = []
  for (let height = 1; height <= chain.height; height++) {
    for (const { hash, bytes, result } of chain.block(height)?.txs ?? []) {
      const { code, codespace, log } = result
      const gas = { gasUsed: Number(result.gasUsed), gasWanted: Number(result.gasWanted) }
      const [data, events] = [Uint8Array.from(result.data), result.events.map(readEvent)]
      txs.push({ hash, height, bytes, code, codespace, log, data, events, ...gas })
    }
  }
  return truthOf(txs, address)
}

/** Returns the fields of each transfer and swap in successful transactions of all wallets, in block order. */
export function messagesOn(devnet: Devnet): { transfers: Fields[]; swaps: Fields[] } {
  const messages = readChain(devnet, '').messages.filter(({ tx }) => tx.code === 0)
  const fieldsOf = (name: string) =>
    messages.flatMap(({ typeUrl, fields }) => (fields && typeUrl.endsWith(name) ? [fields] : []))
  return { transfers: fieldsOf('.MsgRequestTransaction'), swaps: fieldsOf('.MsgRequestSwapTransaction') }
}

export async function readChainOverRpc(url: string, address: string): Promise<ChainTruth> {
  return truthOf(await readBlocks(url), address)
}

export interface Accepted {
  feeId: string
  fields?: Fields
  /** Matches `CODESPACE CODE: TEXT` of a rejection that no block contains. */
  refusal?: RegExp | undefined
  submission: Submission
}

/** Asserts that every submission is decided as on the chain, and that the chain has no other messages. */
export function assertExactlyOnce(t: Test, truth: ChainTruth, accepted: readonly Accepted[]): void {
  const requests = new Map<string, Requested>()
  for (const { feeId, fields = ownRequest(feeId).fields, refusal, submission } of accepted) {
    const { submissionId, status } = submission
    const told: Told =
      status === 'committed' || status === 'rejected' ? submission : { status: 'pending', submissionId }
    requests.set(feeId, { feeId, fields, refusal, told: [...(requests.get(feeId)?.told ?? []), told] })
  }
  t.strictSame(contradictions(truth, [...requests.values()]), [], 'every result matches the chain')
}

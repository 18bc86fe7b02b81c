import type { CommittedTx } from '../chain/blocks/block-store.ts'
import type { Chain } from '../chain/chain.ts'

/** Incorrect responses to inject, read on each call. Blocks and their results stay correct. */
export interface RpcFaults {
  /** How many blocks to add to the height in `status`. */
  statusAhead: number
  /** What `tx` and `tx_search` return: the correct result, nothing, or a failure of every transaction. */
  txIndex: 'true' | 'missing' | 'wrong'
}

export const noFaults = (): RpcFaults => ({ statusAhead: 0, txIndex: 'true' })

/** Finds a committed transaction, subject to the index faults. */
export function findTx(
  chain: Pick<Chain, 'tx'>,
  { txIndex }: RpcFaults,
  hash: string
): CommittedTx | undefined {
  const tx = chain.tx(hash)
  if (tx === undefined || txIndex === 'true') return tx
  if (txIndex === 'missing') return undefined
  const failure = { code: 5, codespace: 'sdk', log: 'insufficient funds', data: new Uint8Array() }
  return { ...tx, result: { ...tx.result, ...failure } }
}

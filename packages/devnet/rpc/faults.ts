import type { CommittedTx } from '../chain/blocks/block-store.ts'
import type { Chain } from '../chain/chain.ts'

/** Wrong responses of a node, read at each call. Its blocks and their results stay correct. */
export interface RpcFaults {
  /** How many blocks the height in `status` is ahead of the node's newest block. */
  statusAhead: number
  /** The response of `tx` and `tx_search`: correct, nothing, or every transaction failed. */
  txIndex: 'true' | 'missing' | 'wrong'
}

export const noFaults = (): RpcFaults => ({ statusAhead: 0, txIndex: 'true' })

/** A committed transaction in the index of a faulty node. */
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

import type { Block, CommittedTx } from '../chain/blocks/block.ts'
import type { Chain } from '../chain/chain.ts'

/** What a node says that is not so. Its blocks and their results stay true. Read at each call. */
export interface RpcLies {
  /** How many blocks `status` is ahead of what the node can show. */
  statusAhead: number
  /** What `tx` and `tx_search` know: everything, nothing, or of every transaction that it failed. */
  txIndex: 'true' | 'missing' | 'wrong'
}

export const noLies = (): RpcLies => ({ statusAhead: 0, txIndex: 'true' })

/** What an index of transactions is made of. */
export type TxIndex = Pick<Chain, 'height' | 'block' | 'tx'>

/** The index of a node that lies. */
export function lyingIndex(chain: TxIndex, lies: RpcLies): TxIndex {
  function told(tx: CommittedTx): CommittedTx[] {
    if (lies.txIndex === 'missing') return []
    if (lies.txIndex === 'true') return [tx]
    const failure = { code: 5, codespace: 'sdk', log: 'insufficient funds', data: new Uint8Array() }
    return [{ ...tx, result: { ...tx.result, ...failure } }]
  }

  return {
    get height() {
      return chain.height
    },
    tx: hash => [chain.tx(hash)].filter(tx => tx !== undefined).flatMap(told)[0],
    block(height): Block | undefined {
      const block = chain.block(height)
      return block && { ...block, txs: block.txs.flatMap(told) }
    }
  }
}

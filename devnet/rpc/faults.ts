import type { Block, CommittedTx } from '../chain/blocks/block.ts'
import type { Chain } from '../chain/chain.ts'

/** Wrong answers of a node, read at each call. Its blocks and their results stay right. */
export interface RpcFaults {
  /** How many blocks `status` is ahead of what the node can show. */
  statusAhead: number
  /** What `tx` and `tx_search` answer: the truth, nothing, or that every transaction failed. */
  txIndex: 'true' | 'missing' | 'wrong'
}

export const noFaults = (): RpcFaults => ({ statusAhead: 0, txIndex: 'true' })

/** The parts of a chain that its transaction index needs. */
export type TxIndex = Pick<Chain, 'chainId' | 'height' | 'block' | 'tx'>

/** The transaction index of a node with faults. */
export function faultyIndex(chain: TxIndex, faults: RpcFaults): TxIndex {
  function shown(tx: CommittedTx): CommittedTx[] {
    if (faults.txIndex === 'missing') return []
    if (faults.txIndex === 'true') return [tx]
    const failure = { code: 5, codespace: 'sdk', log: 'insufficient funds', data: new Uint8Array() }
    return [{ ...tx, result: { ...tx.result, ...failure } }]
  }

  return {
    get chainId() {
      return chain.chainId
    },
    get height() {
      return chain.height
    },
    tx: hash => [chain.tx(hash)].filter(tx => tx !== undefined).flatMap(shown)[0],
    block(height): Block | undefined {
      const block = chain.block(height)
      if (block?.chainId !== chain.chainId) return undefined
      return { ...block, txs: block.txs.flatMap(shown) }
    }
  }
}

import type { BrandNames } from '../brand.ts'

/** One field of a status record: its name in the specification and in the chain's REST API. */
export interface RecordField {
  name: string
  restName: string
  kind: 'text' | 'count'
  /** False for what the specification's index does not have, and is therefore never asked for there. */
  indexed: boolean
}

/** A kind of record that has a status: where each source keeps it, and its fields. */
export interface StatusResource {
  /** Root field of the GraphQL index, and name of the list in the service's own answer. */
  root: string
  /** Path under the chain's REST API; the id follows it. */
  restPath: string
  /** Property of the REST answer that holds the record. */
  restProperty: string
  fields: readonly RecordField[]
}

const text = (name: string, restName: string): RecordField => ({
  name,
  restName,
  kind: 'text',
  indexed: true
})
const count = (name: string, restName: string): RecordField => ({
  name,
  restName,
  kind: 'count',
  indexed: true
})

/** The records whose status can be asked for, under the brand's names (spec §2 and §4; contract §3, Chains). */
export function statusResources({ hashField, txHashField }: BrandNames) {
  const progress = [
    text('failreason', 'failReason'),
    count('pullfailcount', 'pullFailCount'),
    text('pullhash', 'tssPullHash'),
    count('releasefailcount', 'releaseFailCount'),
    text('releasehash', 'tssReleaseHash'),
    text('txstatus', 'status'),
    text('creator', 'creator'),
    count('tx_id', 'index'),
    text(hashField, txHashField)
  ]
  const route = [
    text('originaddress', 'originAddress'),
    text('originchain', 'originChain'),
    text('originsymbol', 'originSymbol'),
    text('targetaddress', 'targetAddress'),
    text('targetchain', 'targetChain'),
    text('targetsymbol', 'targetSymbol'),
    { ...text('refundhash', 'tssRefundHash'), indexed: false }
  ]
  const swapped = ['amountIn', 'amountOut', 'dex', 'slippage'].map(name => text(name, name))
  return {
    transfer: {
      root: 'transaction_data',
      restPath: '/transaction/transaction_data',
      restProperty: 'transactionData',
      fields: [...progress, ...route, text('amount', 'amount')]
    },
    liquidity: {
      root: 'liquidity_transaction_data',
      restPath: '/transaction/liquidity_transaction_data',
      restProperty: 'LiquidityTransactionData',
      fields: [
        ...progress,
        text('amount', 'amount'),
        text('chain', 'chain'),
        text('providerchainaddress', 'providerChainAddress'),
        text('symbol', 'symbol')
      ]
    },
    swap: {
      root: 'swap_data',
      restPath: '/swap/swap_data',
      restProperty: 'swapData',
      fields: [...progress, ...route, ...swapped]
    }
  } satisfies Record<string, StatusResource>
}

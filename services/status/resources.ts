import type { BrandNames } from '../brand.ts'

/** A field of a status record, with its names in the response and in the chain's REST API (interface 9.4 and 9.5). */
export interface RecordField {
  name: string
  restName: string
  kind: 'text' | 'count'
  /** True if the value may be unknown. It is then an empty string or zero (interface 9.6 and 9.14). */
  optional: boolean
  /** False if the index lacks the field (interface 9.12). */
  indexed: boolean
}

/** A kind of record with a status: its location in each source, and its fields. */
export interface StatusResource {
  /** Root field in the GraphQL index, and name of the list in the response (interface 9.1). */
  root: string
  /** Path under the chain's REST API, without the id. */
  restPath: string
  /** Property of the REST response that contains the record. */
  restProperty: string
  fields: readonly RecordField[]
}

const text = (name: string, restName = name): RecordField => ({
  name,
  restName,
  kind: 'text',
  optional: false,
  indexed: true
})
const count = (name: string, restName: string): RecordField => ({ ...text(name, restName), kind: 'count' })
const optional = (field: RecordField): RecordField => ({ ...field, optional: true })

/** The kinds of records with a status, with the brand's names (interface 9.1, 9.4, 9.5 and 19.4). */
export function statusResources({ hashField, txHashField }: BrandNames) {
  const progress = [
    optional(text('failreason', 'failReason')),
    optional(count('pullfailcount', 'pullFailCount')),
    optional(text('pullhash', 'tssPullHash')),
    optional(count('releasefailcount', 'releaseFailCount')),
    optional(text('releasehash', 'tssReleaseHash')),
    text('txstatus', 'status'),
    text('creator'),
    count('tx_id', 'index'),
    optional(text(hashField, txHashField))
  ]
  const route = [
    // A rail has no address.
    optional(text('originaddress', 'originAddress')),
    text('originchain', 'originChain'),
    text('originsymbol', 'originSymbol'),
    text('targetaddress', 'targetAddress'),
    text('targetchain', 'targetChain'),
    text('targetsymbol', 'targetSymbol'),
    { ...optional(text('refundhash', 'tssRefundHash')), indexed: false }
  ]
  return {
    transfer: {
      root: 'transaction_data',
      restPath: '/transaction/transaction_data',
      restProperty: 'transactionData',
      fields: [...progress, ...route, text('amount')]
    },
    liquidity: {
      root: 'liquidity_transaction_data',
      restPath: '/transaction/liquidity_transaction_data',
      restProperty: 'LiquidityTransactionData',
      fields: [
        ...progress,
        { ...optional(text('refundhash', 'tssRefundHash')), indexed: false },
        text('amount'),
        text('chain'),
        text('providerchainaddress', 'providerChainAddress'),
        text('symbol')
      ]
    },
    swap: {
      root: 'swap_data',
      restPath: '/swap/swap_data',
      restProperty: 'swapData',
      fields: [
        ...progress,
        ...route,
        text('amountIn'),
        text('amountOut'),
        optional(text('dex')),
        optional(text('slippage'))
      ]
    }
  } satisfies Record<string, StatusResource>
}

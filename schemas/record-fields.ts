import type { BrandNames } from './brand.ts'

/** A field of a status record, with its names in the response and in the chain's REST API (interface 9.4 and 9.5). */
export type RecordField = ReturnType<typeof required>

/** @param example a number for a count */
const required = (name: string, restName: string, description: string, example: string | number) => ({
  name,
  restName,
  kind: typeof example === 'number' ? ('count' as const) : ('text' as const),
  /** An unknown value is returned as an empty string or zero (interface 9.6 and 9.14). */
  optional: false,
  /** Whether the index has the field (interface 9.12). */
  indexed: true,
  description,
  example
})
const optional = (...field: Parameters<typeof required>) => ({ ...required(...field), optional: true })

/**
 * Returns the kinds of records with a status (interface 9.1, 9.4, 9.5 and 19.4). `root` is the field in the GraphQL
 * index and in the response. `restProperty` contains the record in a response of the REST API at `restPath`.
 */
export function statusResources({ hashField, txHashField }: Pick<BrandNames, 'hashField' | 'txHashField'>) {
  const progress = [
    optional('failreason', 'failReason', 'Failure reason; empty when none', ''),
    optional('pullfailcount', 'pullFailCount', 'Failed pulls', 0),
    optional('pullhash', 'tssPullHash', 'Hash of the pull on the origin chain; empty before it', '0x5e2f…'),
    optional('releasefailcount', 'releaseFailCount', 'Failed releases', 0),
    optional(
      'releasehash',
      'tssReleaseHash',
      'Hash of the release on the target chain; empty before it',
      '0x91ab…'
    ),
    required('txstatus', 'status', 'Status of the transaction; clients must expect new values', 'Completed'),
    required('creator', 'creator', 'Chain address of the submitting wallet', 'service1…'),
    required('tx_id', 'index', 'Sequential transaction id', 42),
    optional(hashField, txHashField, 'Hash of the transaction on the chain', '9F86D081…'),
    { ...optional('refundhash', 'tssRefundHash', 'Hash of the refund; empty when none', ''), indexed: false }
  ]
  const route = [
    optional('originaddress', 'originAddress', 'Address of the paying user; empty for a rail', '0x742d…'),
    required('originchain', 'originChain', 'Origin chain', 'ETH'),
    required('originsymbol', 'originSymbol', 'Origin token', 'USDT'),
    required('targetaddress', 'targetAddress', 'Receiving address', '0x742d…'),
    required('targetchain', 'targetChain', 'Target chain', 'POL'),
    required('targetsymbol', 'targetSymbol', 'Target token', 'USDC')
  ]
  const amount = required('amount', 'amount', 'Decimal amount in whole tokens', '100.5')
  return {
    transfer: {
      root: 'transaction_data',
      restPath: '/transaction/transaction_data',
      restProperty: 'transactionData',
      fields: [...progress, ...route, amount]
    },
    liquidity: {
      root: 'liquidity_transaction_data',
      restPath: '/transaction/liquidity_transaction_data',
      restProperty: 'LiquidityTransactionData',
      fields: [
        ...progress,
        amount,
        required('chain', 'chain', 'Chain of the pool', 'ETH'),
        required(
          'providerchainaddress',
          'providerChainAddress',
          'Address of the liquidity provider',
          '0x7099…'
        ),
        required('symbol', 'symbol', 'Token', 'USDC')
      ]
    },
    swap: {
      root: 'swap_data',
      restPath: '/swap/swap_data',
      restProperty: 'swapData',
      fields: [
        ...progress,
        ...route,
        required('amountIn', 'amountIn', 'Decimal amount paid, in whole tokens', '100.5'),
        required('amountOut', 'amountOut', 'Decimal amount received, in whole tokens', '100.25'),
        optional('dex', 'dex', 'Exchange; empty when the chain chooses', ''),
        optional('slippage', 'slippage', 'Largest accepted deviation from the quote', '0.005')
      ]
    }
  }
}

type StatusResources = ReturnType<typeof statusResources>
export type StatusKind = keyof StatusResources
export type StatusResource = StatusResources[StatusKind]

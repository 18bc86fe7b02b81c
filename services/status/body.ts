import type { BrandNames } from '../brand.ts'
import type { StatusKind } from './index.ts'
import type { StatusRecord } from './record.ts'
import { statusResources } from './resources.ts'

/** The body of a status answer (interface 9.2). */
export function createStatusBody(
  names: BrandNames,
  format: 'documented' | 'widget'
): (kind: StatusKind, record: StatusRecord) => object {
  const resources = statusResources(names)
  return (kind, record) => ({
    data: { [resources[kind].root]: format === 'documented' ? [record] : widgetRecord(kind, record) }
  })
}

/** The amounts of all kinds of records. */
const AMOUNTS = ['amount', 'amountIn', 'amountOut']

/** A record as the widget reads it: with its id as text, amounts as numbers, and a pool's as one between its ends (interface 9.15). */
function widgetRecord(kind: StatusKind, record: StatusRecord): StatusRecord {
  const amounts = AMOUNTS.flatMap(name => {
    const value = Number(record[name])
    return Number.isFinite(value) ? [[name, value] as const] : []
  })
  return {
    ...record,
    tx_id: String(record['tx_id']),
    ...Object.fromEntries(amounts),
    ...(kind === 'liquidity' && poolRoute(record))
  }
}

/** Liquidity stays on its chain, in its token. */
function poolRoute({ chain = '', symbol = '', providerchainaddress = '' }: StatusRecord): StatusRecord {
  return {
    originchain: chain,
    originsymbol: symbol,
    originaddress: providerchainaddress,
    targetchain: chain,
    targetsymbol: symbol
  }
}

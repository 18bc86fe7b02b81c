import type { BrandNames } from '../../schemas/brand.ts'
import { type StatusKind, statusResources } from '../../schemas/record-fields.ts'
import type { StatusRecord } from './record.ts'

/**
 * Returns the body of a status response (interface 9.2).
 * @param kind the kind of the route
 * @param lock the chain's record of the lock of bitcoins, if known
 */
export type StatusBody = (kind: StatusKind, record: StatusRecord, lock?: object) => object

export function createStatusBody(names: BrandNames, format: 'documented' | 'widget'): StatusBody {
  const resources = statusResources(names)
  return (kind, record, lock) => ({
    data: {
      ...(lock && { htlc_lock_request: lock }),
      [resources[kind].root]:
        format === 'documented' ? [documentedRecord(kind, record)] : widgetRecord(kind, record)
    }
  })
}

/** Adds `amount` to a swap that is returned as a transfer: the amount that is paid (interface 9.16). */
const documentedRecord = (kind: StatusKind, record: StatusRecord): StatusRecord =>
  kind === 'transfer' && record['amountIn'] !== undefined ? { ...record, amount: record['amountIn'] } : record

const AMOUNTS = ['amount', 'amountIn', 'amountOut']

/** Converts the id to a string and amounts to numbers, and adds both ends to a pool record (interface 9.15). */
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

/**
 * Returns both ends of a pool record. They are the same, because liquidity stays on its chain, in the same token, with
 * its provider.
 */
function poolRoute({ chain = '', symbol = '', providerchainaddress = '' }: StatusRecord): StatusRecord {
  return {
    originchain: chain,
    originsymbol: symbol,
    originaddress: providerchainaddress,
    targetaddress: providerchainaddress,
    targetchain: chain,
    targetsymbol: symbol
  }
}

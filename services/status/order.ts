import { isFinalStatus } from './final-states.ts'
import type { StatusRecord } from './record.ts'

const ORDER: readonly unknown[] = ['Available', 'Pull_Confirmed', 'Pulled', 'Paid', 'RefundStart']

/**
 * Returns whether a record is older than the last one read: it has an earlier status, or the same status with fewer
 * failures or without a hash. The index lags behind the REST API (interface 9.9), so a later read can return older data.
 */
export function isOlderRecord(next: StatusRecord, last: StatusRecord): boolean {
  const { txstatus } = next
  if (txstatus === last['txstatus'])
    return Object.entries(last).some(([name, value]) => lacks(next[name], name, value))
  if (isFinalStatus(last['txstatus'])) return true
  const place = ORDER.indexOf(txstatus)
  return place >= 0 && place < ORDER.indexOf(last['txstatus'])
}

function lacks(next: string | number | undefined, name: string, last: string | number): boolean {
  if (typeof last === 'number') return Number(next) < last
  return name.endsWith('hash') && last !== '' && next === ''
}

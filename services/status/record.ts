import { UpstreamError } from '../upstream/errors.ts'
import type { RecordField, StatusResource } from './resources.ts'

/** A record under the specification's field names: texts, and whole numbers for the counts and `tx_id`. */
export type StatusRecord = Record<string, string | number>

/**
 * Reads a record of the chain's REST API: camelCase, every value text.
 * @param source name of the upstream, for the error
 * @throws UpstreamError for a value that cannot be what the field says, or a record of another id
 */
export function readRestRecord(
  resource: StatusResource,
  txId: string,
  record: Record<string, unknown>,
  source: string
): StatusRecord {
  const entries = resource.fields.map(field => [field.name, readValue(field, record[field.restName], source)])
  return checkId(txId, Object.fromEntries(entries), source)
}

/**
 * Reads a record of the GraphQL index, which has the specification's names; what it does not hold is empty.
 * @throws UpstreamError likewise
 */
export function readIndexRecord(
  resource: StatusResource,
  txId: string,
  record: Record<string, unknown>,
  source: string
): StatusRecord {
  const entries = resource.fields.map(field => [
    field.name,
    readValue(field, field.indexed ? record[field.name] : undefined, source)
  ])
  return checkId(txId, Object.fromEntries(entries), source)
}

/** What is not there yet, such as the hash of a pull to come, is an empty text or a zero. */
function readValue({ name, kind }: RecordField, value: unknown, source: string): string | number {
  if (kind === 'text') {
    if (value === undefined || value === null) return ''
    if (typeof value === 'string' || typeof value === 'number') return String(value)
  } else {
    const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
    if (Number.isSafeInteger(number)) return number
  }
  throw new UpstreamError(source, `unexpected ${name} in a record`)
}

function checkId(txId: string, record: StatusRecord, source: string): StatusRecord {
  if (String(record['tx_id']) !== txId)
    throw new UpstreamError(source, `record ${record['tx_id']} in place of ${txId}`)
  return record
}

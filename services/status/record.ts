import type { RecordField, StatusResource } from '../../schemas/record-fields.ts'
import { scrub } from '../secrets.ts'
import { UpstreamError } from '../upstream/errors.ts'

/** The fields of interface 9.4 and 9.5. The counts and `tx_id` are numbers. */
export type StatusRecord = Record<string, string | number>

const DIGITS = /^[0-9]+$/

/**
 * Parses a record from either source (interface 19.5, 9.12).
 * @param source name of the upstream, for the error
 * @throws UpstreamError for a missing or malformed value, or for a record with a different id
 */
export function readRecord(
  resource: StatusResource,
  txId: string,
  pick: (field: RecordField) => unknown,
  source: string
): StatusRecord {
  const entries = resource.fields.map(field => [field.name, readValue(field, pick(field), source)] as const)
  const record: StatusRecord = Object.fromEntries(entries)
  const { tx_id } = record
  if (String(tx_id) !== txId) throw new UpstreamError(source, `returned record ${tx_id} instead of ${txId}`)
  return record
}

function readValue({ name, kind, optional }: RecordField, value: unknown, source: string): string | number {
  if (value === undefined || value === null || value === '') {
    if (!optional) throw new UpstreamError(source, `a record has no ${name}`)
    return kind === 'text' ? '' : 0
  }
  // The reason is any text, so it could repeat a secret of this server (interface 1.6).
  if (kind === 'text' && typeof value === 'string') return name === 'failreason' ? scrub(value) : value
  if (kind === 'count') {
    const count = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  }
  throw new UpstreamError(source, `a record has an unexpected ${name}`)
}

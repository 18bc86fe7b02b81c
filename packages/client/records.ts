import { plainDecimal } from '../../services/amounts.ts'
import { isFinalStatus } from '../../services/status/final-states.ts'
import { isRecord } from './ask.ts'
import { ClientError } from './errors.ts'
import type * as schemas from './openapi.ts'

/** The state of a submission (interface 7.9). */
export type Submission = schemas.Submission

/** A transfer's record (interface 9.4, 9.5, 9.16). Newer chains might return further values of `txstatus`. */
export type TransactionRecord = schemas.TransactionRecord

export type SwapRecord = schemas.SwapRecord

/** Returns whether the state can no longer change (interface 7.7, 9.7). */
export function isFinal(state: Submission | TransactionRecord | SwapRecord): boolean {
  return 'txstatus' in state
    ? isFinalStatus(state.txstatus)
    : state.status === 'committed' || state.status === 'rejected'
}

/** @throws ClientError UNREADABLE when the response is invalid or has a different submissionId */
export function readSubmission(response: unknown, submissionId: string): Submission {
  if (isSubmission(response) && response.submissionId === submissionId) return response
  throw unlike('a submission')
}

/** @throws ClientError UNREADABLE when the response is invalid or has a different id */
export function readRecord(
  response: unknown,
  kind: 'swap' | undefined,
  txId: number
): TransactionRecord | SwapRecord {
  const record = rootOf(response, kind === 'swap' ? 'swap_data' : 'transaction_data')
  // A JavaScript caller might pass the id as a string.
  if (isOnChain(record) && String(record.tx_id) === String(txId)) return record
  throw unlike('a status')
}

function rootOf(response: unknown, root: string): unknown {
  const data = isRecord(response) && isRecord(response['data']) ? response['data'][root] : undefined
  if (Array.isArray(data)) return data[0]
  return isRecord(data) ? documented(data) : undefined
}

/** Converts a record from the widget format, in which the id is a string and amounts are numbers (interface 9.15). */
function documented(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record).map(([name, value]) => {
    if (name === 'tx_id') return [name, Number(value)]
    if (!name.startsWith('amount')) return [name, value]
    return [name, typeof value === 'number' ? plainDecimal(String(value)) : String(value)]
  })
  return Object.fromEntries(entries)
}

const isSubmission = (value: unknown): value is Submission =>
  isRecord(value) && typeof value['submissionId'] === 'string' && typeof value['status'] === 'string'

const isOnChain = (value: unknown): value is TransactionRecord | SwapRecord =>
  isRecord(value) && typeof value['txstatus'] === 'string'

export const unlike = (what: string): ClientError =>
  new ClientError(`The response is not ${what}`, { code: 'UNREADABLE' })

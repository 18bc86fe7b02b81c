import type { Identity, ListingFilter } from '../contract.ts'
import { storedText } from '../identities.ts'
import { searchedAddress } from './intake.ts'
import { submissionOfEvent } from './payload.ts'
import { STATUSES } from './rows.ts'
import { isAnyOf, Sql, sql, union } from './sql.ts'

const every = (...conditions: (Sql | false)[]): Sql =>
  conditions.filter(condition => condition instanceof Sql).reduce((all, one) => sql`${all} AND ${one}`)

/**
 * Selects a page. For each filter, the database reads hardly more rows than it returns: an index has the rows of each
 * status, or of each kind of identifier. Of each, the first `limit` places in the list are found, and only the rows of
 * the page are read whole: they can be large. The cursor and `to` are combined into one condition, because SQLite would
 * otherwise start at `to` and scan to the cursor.
 */
export function selectListed(
  wallet: number,
  filter: ListingFilter,
  limit: number,
  columns: Sql = sql`submission.*`
): Sql {
  const { feeId, txId, from, to, after, identifier } = filter
  const isAfter = after !== undefined && (to === undefined || after.createdAt < to)
  const before = isAfter ? after : to !== undefined && { createdAt: to, submissionId: '' }
  const isNamed = identifier !== undefined || feeId !== undefined || txId !== undefined
  const newest = sql`ORDER BY created_at DESC, submission_id DESC`
  const places = (isNamed ? named(wallet, filter) : inEachStatus(filter)).map(condition => {
    const conditions = every(
      sql`wallet_id = ${wallet}`,
      condition,
      from !== undefined && sql`created_at >= ${from}`,
      before && sql`(created_at, submission_id) < (${before.createdAt}, ${before.submissionId})`
    )
    return sql`SELECT * FROM (SELECT position, created_at, submission_id FROM submission
      WHERE ${conditions} ${newest} LIMIT ${limit}) AS some_places`
  })
  // One row can have an identifier twice, such as one address at both ends.
  return sql`SELECT ${columns} FROM submission
    WHERE position IN (SELECT position FROM (${union(places)} ${newest} LIMIT ${limit}) AS page) ${newest}`
}

/** The conditions of a page without an identifier. */
function inEachStatus({ statuses = STATUSES, caller }: ListingFilter): Sql[] {
  const isOwn = caller !== undefined && sql`caller = ${caller}`
  return [...new Set(statuses)].map(status => every(sql`status || '' = ${status}`, isOwn))
}

/**
 * The conditions that find a feeId, a txId or an identifier of any kind. They hide the status, and where an index has
 * no callers also the caller, from the database's choice of an index: the identifier's own finds the fewest rows.
 * Without statistics, PostgreSQL would take a list of every status for a rare condition, and sort all rows.
 */
function named(wallet: number, filter: ListingFilter): Sql[] {
  const { statuses, caller, feeId, txId, identifier } = filter
  const isCallers = caller !== undefined && sql`coalesce(caller, '') = ${caller}`
  const conditions = every(
    statuses ? sql`coalesce(status, '') ${isAnyOf(statuses)}` : sql`status <> 'damaged'`,
    feeId !== undefined && sql`fee_id = ${storedText(feeId)}`,
    txId !== undefined && sql`tx_id = ${txId}`
  )
  if (identifier === undefined) return [every(conditions, isCallers)]
  // Pasted with spaces, or in capitals: UUIDs are usually in lower case, but seeds and feeIds are stored as they were sent.
  const pasted = identifier.trim()
  const lower = pasted.toLowerCase()
  const spellings = [...new Set([pasted, lower])].map(storedText)
  const ofEvent = submissionOfEvent(lower)
  const kinds = [
    sql`submission_id ${isAnyOf(ofEvent === undefined ? spellings : [...spellings, ofEvent])}`,
    sql`fee_id ${isAnyOf(spellings)}`,
    sql`payment_seed ${isAnyOf(spellings)}`
  ]
  if (/^[1-9]\d{0,14}$/.test(pasted)) kinds.push(sql`tx_id = ${Number(pasted)}`)
  const [, hash] = /^(?:0x)?([\da-f]{64})$/.exec(lower) ?? []
  if (hash !== undefined) {
    const ofTransaction = sql`wallet_id = ${wallet} AND hash = ${hash.toUpperCase()}`
    kinds.push(
      sql`transaction_hash = ${hash.toUpperCase()}`,
      sql`sequence = (SELECT sequence FROM signed_tx WHERE ${ofTransaction})`,
      sql`submission_id IN (SELECT submission_id FROM former_tx WHERE ${ofTransaction})`,
      sql`submission_id IN (${usersOf(wallet, hash)})`
    )
  }
  const address = searchedAddress(pasted) ?? ''
  const isOwn = caller !== undefined && sql`caller = ${caller}`
  return [
    ...kinds.map(kind => every(kind, conditions, isCallers)),
    every(sql`origin_address = ${address}`, conditions, isOwn),
    every(sql`target_address = ${address}`, conditions, isOwn)
  ]
}

/** Selects the submissions that have the lock of a Bitcoin transaction: its registration, transfer and return. */
function usersOf(wallet: number, txHash: string): Sql {
  const ofKind = (kind: Identity['kind']) =>
    sql`SELECT submission_id FROM identity
      WHERE wallet_id = ${wallet} AND key > ${`${kind}:${txHash}:`} AND key < ${`${kind}:${txHash};`}`
  return union([ofKind('lock'), ofKind('registration'), ofKind('reclaim')])
}

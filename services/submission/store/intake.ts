import { coalesce } from '../../async/coalesce.ts'
import { contentHash, identityKey } from '../identities.ts'
import type { Identity, SubmissionRequest } from '../types.ts'
import { StoreCorruptError } from './errors.ts'
import {
  callerOf,
  contentHashOf,
  readEach,
  SUBMISSION_COLUMNS,
  statusOf,
  toHolder,
  toSubmission,
  toSubmissionId
} from './rows.ts'
import { isAnyOf, type Queries, type Row, raw, rowsOf, sql } from './sql.ts'
import { allOf, type Home } from './term-writes.ts'
import type { IntakeRequest, IntakeResult, JoinResult, SubmissionStore } from './types.ts'

/** The rows of submissions by the keys of the identities that they hold. */
type Holders = Map<string, Row>

/** What a group of requests changes. */
interface Changes {
  created: IntakeRequest[]
  /** Identities with the submissions that hold them from now on. */
  held: Held[]
}

interface Held {
  key: string
  submissionId: string
}

/** Of the submission, where another table in the statement has some of these columns too. */
const QUALIFIED = raw(SUBMISSION_COLUMNS.replaceAll(/\w+/g, column => `submission.${column}`))

const keysOf = (requests: readonly Pick<SubmissionRequest, 'identities'>[]): string[] =>
  [...new Set(requests.flatMap(({ identities }) => identities.map(identityKey)))].sort()

async function holdersOf({ all }: Queries, wallet: number, keys: readonly string[]): Promise<Holders> {
  const rows = await all(
    sql`SELECT key, ${QUALIFIED} FROM identity JOIN submission USING (position)
      WHERE identity.wallet_id = ${wallet} AND key ${isAnyOf(keys)}`
  )
  return new Map(rows.map(row => [toHolder(row), row]))
}

/**
 * Locks the identities of requests until the end of the transaction, in one order, so that two transactions never wait for
 * each other, and reads who holds them. Of two replicas that take one at the same moment, one waits here.
 */
export async function claimIdentities(
  { wallet }: Pick<Home, 'wallet'>,
  queries: Queries,
  requests: readonly Pick<SubmissionRequest, 'identities'>[]
) {
  const keys = keysOf(requests)
  const numbered = keys.map((key, number) => ({ key, number }))
  const [, holders] = await allOf(
    queries.run(
      sql`INSERT INTO identity (wallet_id, key)
        SELECT wallet_id, key
        FROM ${rowsOf('claimed', wallet, { key: 'TEXT', number: 'BIGINT' }, numbered)} ORDER BY number
        ON CONFLICT (wallet_id, key) DO UPDATE SET key = excluded.key`
    ),
    holdersOf(queries, wallet, keys)
  )

  /** Gives identities to their submissions, and those that nobody holds back. */
  async function hold(held: readonly Held[]): Promise<void> {
    const taken = new Set(held.map(({ key }) => key))
    const unused = keys.filter(key => !holders.has(key) && !taken.has(key))
    await allOf(
      held.length > 0 &&
        queries.run(
          sql`UPDATE identity SET position = submission.position
            FROM ${rowsOf('held', wallet, { key: 'TEXT', submissionId: 'TEXT' }, held)}
            JOIN submission ON submission.wallet_id = held.wallet_id AND submission.submission_id = held.submission_id
            WHERE identity.wallet_id = held.wallet_id AND identity.key = held.key`
        ),
      unused.length > 0 &&
        queries.run(
          sql`DELETE FROM identity WHERE wallet_id = ${wallet} AND key ${isAnyOf(unused)} AND position IS NULL`
        )
    )
  }

  return { holders, hold }
}

/** Adds queued submissions. */
export function insertSubmissions(
  { wallet }: Pick<Home, 'wallet'>,
  { run }: Queries,
  requests: readonly Pick<IntakeRequest, 'submissionId' | 'typeUrl' | 'message' | 'caller'>[],
  at: number
): Promise<number> {
  const columns = {
    number: 'BIGINT',
    submissionId: 'TEXT',
    contentHash: 'BLOB',
    typeUrl: 'TEXT',
    message: 'BLOB',
    caller: 'TEXT'
  } as const
  const rows = requests.map((request, number) => {
    return { ...request, number, contentHash: contentHash(request.typeUrl, request.message) }
  })
  return run(
    sql`INSERT INTO submission
        (wallet_id, submission_id, content_hash, type_url, message, caller, status, created_at, updated_at)
      SELECT wallet_id, submission_id, content_hash, type_url, message, caller, 'queued',
        CAST(${at} AS BIGINT), CAST(${at} AS BIGINT)
      FROM ${rowsOf('request', wallet, columns, rows)} ORDER BY number`
  )
}

/** Accepts submissions, as `SubmissionStore` describes it. */
export function createIntake(home: Home): Pick<SubmissionStore, 'take' | 'join'> {
  const { database, wallet, now } = home

  const coalescedHolders = coalesce((requests: SubmissionRequest[]) =>
    holdersOf(database, wallet, keysOf(requests))
  )

  return {
    take: requests =>
      database.transaction(async transaction => {
        const submissionIds = requests.map(({ submissionId }) => submissionId)
        const [{ holders, hold }, earlier] = await allOf(
          claimIdentities(home, transaction, requests),
          transaction.all(
            sql`SELECT ${raw(SUBMISSION_COLUMNS)} FROM submission
              WHERE wallet_id = ${wallet} AND submission_id ${isAnyOf(submissionIds)}`
          )
        )
        const at = now()
        const { results, changes } = decide(requests, new Map(holders), earlier, at)
        const { created, held } = changes
        const isNew = created.length > 0
        await allOf(
          isNew && insertSubmissions(home, transaction, created, at),
          hold(held),
          isNew && transaction.announce({ kind: 'queued' }, wallet)
        )
        return results
      }),

    async join(request) {
      const holders = await coalescedHolders(request)
      return examine(request, key => holders.get(key)).result
    }
  }
}

/**
 * Decides about requests in their order, each on what those before it left.
 * @param holders is changed to the holders after these requests
 * @param earlier rows of submissions with the ids of these requests, from an earlier call whose outcome was unknown
 */
function decide(
  requests: readonly IntakeRequest[],
  holders: Holders,
  earlier: readonly Row[],
  at: number
): { results: IntakeResult[]; changes: Changes } {
  const known: Holders = new Map()
  // A damaged one is the result of the requests that name it, and of no others.
  readEach([...holders.values()], row => known.set(toSubmissionId(row), row))
  const repeated = new Map(earlier.map(toSubmission).map(found => [found.submissionId, found]))
  const changes: Changes = { created: [], held: [] }

  function create(request: IntakeRequest): IntakeResult {
    const { submissionId, typeUrl, message, caller = null } = request
    const content_hash = contentHash(typeUrl, message)
    const times = { created_at: at, updated_at: at }
    const row = { submission_id: submissionId, content_hash, status: 'queued', caller, ...times }
    changes.created.push(request)
    known.set(submissionId, row)
    return { status: 'created', submission: toSubmission(row) }
  }

  function takeOne(request: IntakeRequest): IntakeResult {
    const submission = repeated.get(request.submissionId)
    if (submission) return { status: 'created', submission }
    const { result: joined, free } = examine(request, key => holders.get(key))
    const result = joined ?? create(request)
    if (!('submission' in result)) return result
    const { submissionId } = result.submission
    for (const key of free.map(identityKey)) {
      const row = known.get(submissionId)
      if (row) holders.set(key, row)
      changes.held.push({ key, submissionId })
    }
    return result
  }

  return { results: requests.map(takeOne), changes }
}

/**
 * Applies the rules of identity to a request (interface 7.3 to 7.6).
 * @param rowOf the row of the submission with an identity's stored key; undefined when there is none
 * @returns the result if nothing is created, and the identities that nobody holds, of which a conflict or damage takes none
 */
function examine(
  request: SubmissionRequest,
  rowOf: (key: string) => Row | undefined
): { result: JoinResult | undefined; free: Identity[] } {
  try {
    return examineRows(request, rowOf)
  } catch (error) {
    if (error instanceof StoreCorruptError) return { result: { status: 'damaged', damage: error }, free: [] }
    throw error
  }
}

function examineRows(
  { identities, typeUrl, message, caller }: SubmissionRequest,
  rowOf: (key: string) => Row | undefined
): { result: JoinResult | undefined; free: Identity[] } {
  const free: Identity[] = []
  const held: { kind: Identity['kind']; row: Row }[] = []
  for (const identity of identities) {
    const row = rowOf(identityKey(identity))
    // A refused submission holds none of its identities (interface 7.6).
    if (row === undefined || statusOf(row) === 'rejected') free.push(identity)
    else held.push({ kind: identity.kind, row })
  }
  const [first] = held
  if (first === undefined) return { result: undefined, free }
  const hash = contentHash(typeUrl, message)
  const conflict = held.find(
    ({ row }) => !hash.equals(contentHashOf(row)) || (callerOf(row) ?? caller) !== caller
  )
  if (conflict) return { result: { status: 'conflict', kind: conflict.kind }, free: [] }
  return { result: { status: 'joined', submission: toSubmission(first.row) }, free }
}

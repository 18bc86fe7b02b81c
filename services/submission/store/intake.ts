import { coalesce } from '../../async/coalesce.ts'
import { contentHash, identityKey } from '../identities.ts'
import type { Identity, SubmissionRequest } from '../types.ts'
import { CollisionError, StoreCorruptError } from './errors.ts'
import { type Holder, toHolder, toKey } from './rows.ts'
import { allOf, insertInto, isAnyOf, type Queries, type Row, type StoreContext, sql } from './sql.ts'
import type { IntakeRequest, IntakeResult, JoinResult } from './types.ts'

/** The submissions by identity key; the error if the row is damaged. */
export type Holders = Map<string, Holder | StoreCorruptError>

/** An identity key and the submission that it is bound to. */
export interface Binding {
  key: string
  submissionId: string
}

type Identified = Pick<SubmissionRequest, 'identities'>

export async function holdersOf(
  { all }: Queries,
  { wallet }: StoreContext,
  requests: readonly Identified[]
): Promise<Holders> {
  const keys = [...new Set(requests.flatMap(({ identities }) => identities.map(identityKey)))]
  const rows = await all(
    sql`SELECT key, submission.* FROM identity LEFT JOIN submission USING (wallet_id, submission_id)
      WHERE identity.wallet_id = ${wallet} AND key ${isAnyOf(keys)}`
  )
  return new Map(rows.map(row => [toKey(row).key, holderOrDamage(row)]))
}

function holderOrDamage(row: Row): Holder | StoreCorruptError {
  try {
    return toHolder(row)
  } catch (error) {
    if (error instanceof StoreCorruptError) return error
    throw error
  }
}

/** Inserts queued submissions, unless an earlier call with an unknown outcome has already inserted them. */
export async function insertSubmissions(
  { run }: Queries,
  { wallet }: StoreContext,
  requests: readonly Omit<IntakeRequest, 'identities'>[],
  at: number
): Promise<void> {
  const rows = requests.map(({ submissionId, typeUrl, message, caller }) => {
    const content = { typeUrl, message, contentHash: contentHash(typeUrl, message) }
    return { submissionId, ...content, caller, status: 'queued', createdAt: at, updatedAt: at }
  })
  const unlessThere = sql`ON CONFLICT (wallet_id, submission_id) DO NOTHING`
  await run(insertInto('submission', wallet, rows, unlessThere))
}

/**
 * Binds identities to submissions. Each identity must be free or belong to a rejected submission. Writes in key order,
 * so that two replicas cannot deadlock.
 * @throws CollisionError if another replica has bound one of the identities since they were read
 */
export async function bindIdentities(
  { run }: Queries,
  { wallet }: StoreContext,
  bindings: readonly Binding[]
): Promise<void> {
  const unlessTaken = sql`ORDER BY key
    ON CONFLICT (wallet_id, key) DO UPDATE SET submission_id = excluded.submission_id
    WHERE EXISTS (
      SELECT 1 FROM submission
      WHERE submission.wallet_id = identity.wallet_id AND submission.submission_id = identity.submission_id
        AND status = 'rejected')`
  const changes = await run(insertInto('identity', wallet, bindings, unlessTaken))
  if (changes !== bindings.length) throw new CollisionError()
}

/** Creates the functions that accept submissions. */
export function createIntake(context: StoreContext) {
  const { database, wallet, now } = context

  const coalescedHolders = coalesce((requests: SubmissionRequest[]) => holdersOf(database, context, requests))

  return {
    /**
     * Accepts a batch by the identity rules (interface 7.3 to 7.6). A joined submission also gets the request's other
     * identities. Results are in request order. A call may be repeated with the same submissionIds: submissions that an
     * earlier call created are still reported as `created`.
     * @throws StoreUncertainError
     */
    take: (requests: readonly IntakeRequest[]): Promise<IntakeResult[]> =>
      database.transaction(async transaction => {
        const holders = await holdersOf(transaction, context, requests)
        const at = now()
        const time = new Date(at).toISOString()
        const created: IntakeRequest[] = []
        const bindings: Binding[] = []

        function create(request: IntakeRequest): Holder {
          const { submissionId, typeUrl, message, caller } = request
          const submission = { submissionId, status: 'queued', createdAt: time, updatedAt: time } as const
          created.push(request)
          return { submission, contentHash: contentHash(typeUrl, message), ...(caller && { caller }) }
        }

        /** Accepts one request, taking the earlier requests of the batch into account. */
        function takeOne(request: IntakeRequest): IntakeResult {
          const found = examine(request, holders, request.submissionId)
          if ('status' in found) return found
          // An earlier call with an unknown outcome created the submission.
          if (found.own) return { status: 'created', submission: found.own.submission }
          const holder = found.joined ?? create(request)
          for (const key of found.free) {
            holders.set(key, holder)
            bindings.push({ key, submissionId: holder.submission.submissionId })
          }
          return { status: found.joined ? 'joined' : 'created', submission: holder.submission }
        }

        const results = requests.map(takeOne)
        await allOf(
          created.length > 0 && insertSubmissions(transaction, context, created, at),
          bindings.length > 0 && bindIdentities(transaction, context, bindings),
          created.length > 0 && transaction.announce({ kind: 'queued' }, wallet)
        )
        return results
      }),

    /**
     * Returns the result that `take` would return, or undefined if `take` would create a submission. Changes nothing.
     */
    async join(request: SubmissionRequest): Promise<JoinResult | undefined> {
      const found = examine(request, await coalescedHolders(request))
      if ('status' in found) return found
      return found.joined && { status: 'joined', submission: found.joined.submission }
    }
  }
}

interface Examined {
  /** The submission that already has the request's submissionId. */
  own?: Holder
  /** The submission with one of the identities and the same content. */
  joined?: Holder | undefined
  /** Keys of the identities that belong to no submission, or only to a rejected one. */
  free: string[]
}

/** Applies the identity rules to a request (interface 7.3 to 7.6). */
function examine(
  { identities, typeUrl, message, caller }: SubmissionRequest,
  holders: Holders,
  submissionId?: string
): Examined | Exclude<JoinResult, { status: 'joined' }> {
  const free: string[] = []
  const held: { kind: Identity['kind']; holder: Holder }[] = []
  for (const identity of identities) {
    const key = identityKey(identity)
    const holder = holders.get(key)
    if (holder instanceof StoreCorruptError) return { status: 'damaged', damage: holder }
    if (holder && holder.submission.submissionId === submissionId) return { own: holder, free: [] }
    // A rejected submission keeps none of its identities (interface 7.6).
    if (!holder || holder.submission.status === 'rejected') free.push(key)
    else held.push({ kind: identity.kind, holder })
  }
  const hash = contentHash(typeUrl, message)
  const conflict = held.find(
    ({ holder }) => !hash.equals(holder.contentHash) || (holder.caller ?? caller) !== caller
  )
  if (conflict) return { status: 'conflict', kind: conflict.kind }
  return { joined: held[0]?.holder, free }
}

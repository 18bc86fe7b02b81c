import { coalesce } from '../../async/coalesce.ts'
import type {
  Execution,
  Holder,
  Identity,
  IntakeRequest,
  IntakeResult,
  JoinResult,
  Refusal,
  SubmissionRequest,
  SubmissionStore,
  WalletRequest
} from '../contract.ts'
import { CollisionError, StoreCorruptError } from '../errors.ts'
import { contentHash, identityKey } from '../identities.ts'
import { readEach, toHolder, toKey } from './rows.ts'
import { allOf, insertInto, isAnyOf, type Queries, type StoreContext, sql } from './sql.ts'

/** Submissions by identity key; the error if the row is damaged. */
type Holders = Map<string, Holder | StoreCorruptError>

interface Binding {
  key: string
  submissionId: string
}

async function holdersOf(
  { all }: Queries,
  { wallet }: StoreContext,
  requests: readonly Pick<SubmissionRequest, 'identities'>[]
): Promise<Holders> {
  const keys = [...new Set(requests.flatMap(({ identities }) => identities.map(identityKey)))]
  const rows = await all(
    sql`SELECT key, submission.* FROM identity LEFT JOIN submission USING (wallet_id, submission_id)
      WHERE identity.wallet_id = ${wallet} AND key ${isAnyOf(keys)}`
  )
  const holders: Holders = new Map()
  readEach(
    rows,
    row => holders.set(toKey(row).key, toHolder(row)),
    (damage, row) => holders.set(toKey(row).key, damage)
  )
  return holders
}

/** Skips submissions that an earlier call with an unknown outcome has already inserted. */
async function insertSubmissions(
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
 * Binds identities that are free or belong to a rejected submission. Writes in key order, so that two replicas cannot
 * deadlock.
 * @throws CollisionError if another replica has bound one of the identities since they were read
 */
async function bindIdentities(
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

/** Creates the functions that accept submissions by the identity rules (interface 7.3 to 7.6). */
export function createIntake(context: StoreContext): Pick<SubmissionStore, 'take' | 'join'> {
  const { database, wallet, now } = context

  const coalescedHolders = coalesce((requests: SubmissionRequest[]) => holdersOf(database, context, requests))

  return {
    take: requests =>
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

    async join(request) {
      const found = examine(request, await coalescedHolders(request))
      if ('status' in found) return found
      return found.joined && { status: 'joined', submission: found.joined.submission }
    }
  }
}

interface Examined {
  /** The submission that has the request's submissionId. */
  own?: Holder
  /** The submission with the same content and one of the identities. */
  joined?: Holder | undefined
  /** Keys of the identities that belong to no submission, or only to a rejected one. */
  free: string[]
}

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

const SUPERSEDED: Refusal = {
  code: 1,
  codespace: 'service',
  message: 'the chain has executed another request with the same feeId or payment'
}

/**
 * Applies the identity rules to a request executed by a transaction that is not in the store. Settles a submission with
 * the same content, even if it is in a slot. A refusal reported by an event settles a submission only while it is
 * queued; once it is broadcast, its slot may still execute it. Rejects queued submissions that have the same identity
 * but different content, because they would execute that identity twice. If no submission has the same content, creates
 * one, so that a retry gets the result.
 * @param settle settles unsettled submissions, and reports them as settled unless they are new
 */
export async function adoptRequest(
  context: StoreContext,
  queries: Queries,
  request: WalletRequest,
  settle: (executions: Execution[], isNew?: true) => Promise<void>
): Promise<void> {
  const { identities, typeUrl, message, execution } = request
  const holders = await holdersOf(queries, context, [request])
  const hash = contentHash(typeUrl, message)
  const isSame = (holder: Holder) => hash.equals(holder.contentHash)
  const held = [...holders.values()].filter(
    (holder): holder is Holder =>
      !(holder instanceof StoreCorruptError) && holder.submission.status !== 'rejected'
  )
  const same = held.find(isSame)?.submission

  if (execution.status === 'rejected') {
    if (same?.status === 'queued') await settle([{ ...execution, submissionId: same.submissionId }])
    return
  }
  const others = held.filter(holder => !isSame(holder) && holder.submission.status === 'queued')
  const superseded = new Set(others.map(({ submission }) => submission.submissionId))
  const settled: Execution[] = [...superseded].map(submissionId => {
    return { submissionId, status: 'rejected', error: SUPERSEDED }
  })
  if (same && same.status !== 'committed') settled.push({ ...execution, submissionId: same.submissionId })
  if (settled.length > 0) await settle(settled)
  if (same) return

  const { submissionId } = execution
  const free = identities.map(identityKey).flatMap((key): Binding[] => {
    const holder = holders.get(key)
    if (holder instanceof StoreCorruptError) return []
    const isFree =
      !holder || holder.submission.status === 'rejected' || superseded.has(holder.submission.submissionId)
    return isFree ? [{ key, submissionId }] : []
  })
  if (free.length === 0) return
  await insertSubmissions(queries, context, [{ submissionId, typeUrl, message }], context.now())
  await bindIdentities(queries, context, free)
  await settle([execution], true)
}

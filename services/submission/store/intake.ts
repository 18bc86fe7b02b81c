import { randomUUID } from 'node:crypto'
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
import { contentHash, identityKey, storedText } from '../identities.ts'
import { meaningOf } from '../same-content.ts'
import { historyLine } from './history.ts'
import { searchedIn } from './payload.ts'
import { readEach, toBound, toHolder, toKey } from './rows.ts'
import { allOf, insertInto, isAnyOf, type Queries, type Row, type StoreContext, sql } from './sql.ts'

/** At most this many identities are stored for a submission (interface 7.4). */
const MAX_IDENTITIES = 8

/** The target of an executed payment whose submission retention has deleted, and of an identity that was set aside. */
export const EXECUTED = 'executed'

/** The stored binding of an identity. */
interface Bound {
  /** Undefined if retention has deleted the submission, or if only the chain has seen the payment. */
  holder: Holder | undefined
  /** The target of a payment. */
  target?: string | undefined
  /** The caller that may redirect a refused payment (interface 7.29). */
  owner?: string | undefined
  /** How many identities the holder has. */
  identities: number
}

/** The bindings by identity key. */
interface BoundIdentities {
  bounds: Map<string, Bound>
  damages: Map<string, StoreCorruptError>
}

interface Binding {
  key: string
  submissionId: string | undefined
  target: string | undefined
  caller: string | undefined
}

/** @throws StoreCorruptError if the row is damaged, or the submission of the identity does not exist */
export function readIdentity(row: Row) {
  const bound = toBound(row)
  if (bound.heldBy !== undefined && row['submission_id'] === null)
    throw new StoreCorruptError('identity', bound.heldBy, 'submission_id')
  return bound
}

async function readBound(
  { all }: Pick<Queries, 'all'>,
  { wallet }: StoreContext,
  requests: readonly Pick<SubmissionRequest, 'identities'>[]
): Promise<BoundIdentities> {
  const keys = [...new Set(requests.flatMap(({ identities }) => identities.map(identityKey)))]
  const rows = await all`SELECT key, identity.submission_id AS held_by, target, identity.caller AS owner,
      (SELECT count(*) FROM identity AS every
        WHERE every.wallet_id = identity.wallet_id AND every.submission_id = identity.submission_id) AS identities,
      submission.*
    FROM identity LEFT JOIN submission USING (wallet_id, submission_id)
    WHERE identity.wallet_id = ${wallet} AND key ${isAnyOf(keys)}`
  const found: BoundIdentities = { bounds: new Map(), damages: new Map() }
  readEach(
    rows,
    row => {
      const { heldBy, ...bound } = readIdentity(row)
      found.bounds.set(toKey(row).key, { ...bound, holder: heldBy === undefined ? undefined : toHolder(row) })
    },
    (damage, row) => found.damages.set(toKey(row).key, damage)
  )
  return found
}

/** Returns the form in which addresses are searched. Spellings of one address differ only in case. */
export const searchedAddress = (address: string): string | undefined =>
  address === '' ? undefined : storedText(address.toLowerCase())

/**
 * Adds a new submissionId. A repeated call needs no equal one, because it finds the submission itself before the
 * predecessor.
 */
const withId = (request: SubmissionRequest): IntakeRequest => ({ ...request, submissionId: randomUUID() })

/** `predecessor`: the submission that must be executed first. */
type NewSubmission = IntakeRequest & { predecessor?: string | undefined }

/** Skips submissions that an earlier call with an unknown outcome has already inserted. */
async function insertSubmissions(
  { run }: Queries,
  { wallet }: StoreContext,
  requests: readonly Omit<NewSubmission, 'identities'>[],
  at: number,
  what: 'accepted' | 'adopted' = 'accepted'
): Promise<void> {
  const rows = requests.map(({ submissionId, typeUrl, message, caller, feeId, requestId, predecessor }) => {
    const { transactionIdSeed: seed, originAddress, targetAddress } = searchedIn(typeUrl, message)
    const content = { typeUrl, message, contentHash: contentHash(typeUrl, message) }
    const named = {
      caller,
      follows: predecessor,
      feeId: feeId && storedText(feeId),
      paymentSeed: seed && storedText(seed),
      originAddress: searchedAddress(originAddress),
      targetAddress: searchedAddress(targetAddress),
      history: historyLine({ at, what, requestId })
    }
    return { submissionId, ...content, ...named, status: 'queued', createdAt: at, updatedAt: at }
  })
  const unlessThere = sql`ON CONFLICT (wallet_id, submission_id) DO NOTHING`
  await run(insertInto('submission', wallet, rows, unlessThere))
}

/**
 * Binds identities that are free or released. Writes in key order, so that two replicas cannot deadlock.
 * @throws CollisionError if another replica has changed one of the identities since they were read
 */
async function bindIdentities(
  { run }: Queries,
  { wallet }: StoreContext,
  bindings: readonly Binding[]
): Promise<void> {
  const unlessTaken = sql`ORDER BY key
    ON CONFLICT (wallet_id, key) DO UPDATE SET submission_id = excluded.submission_id
    WHERE identity.target IS NOT DISTINCT FROM excluded.target
      AND identity.caller IS NOT DISTINCT FROM excluded.caller
      AND (identity.submission_id IS NULL OR EXISTS (
        SELECT 1 FROM submission
        WHERE submission.wallet_id = identity.wallet_id AND submission.submission_id = identity.submission_id
          AND status = 'rejected'))`
  const changes = await run(insertInto('identity', wallet, bindings, unlessTaken))
  if (changes !== bindings.length) throw new CollisionError()
}

/**
 * Returns the binding of an identity to a submission. A released payment keeps its first target and owner, however
 * often it is used again.
 */
function bindingOf(
  identity: Identity,
  { bounds }: BoundIdentities,
  submissionId: string | undefined,
  { mayRedirect, caller }: Pick<SubmissionRequest, 'mayRedirect' | 'caller'> = {}
): Binding {
  const key = identityKey(identity)
  const bound = bounds.get(key)
  if (bound) return { key, submissionId, target: bound.target, caller: bound.owner }
  if (identity.kind !== 'payment') return { key, submissionId, target: undefined, caller: undefined }
  return { key, submissionId, target: identity.target, caller: mayRedirect && caller }
}

/** Creates the functions that accept submissions by the identity rules (interface 7.3 to 7.6, 7.29). */
export function createIntake(context: StoreContext): Pick<SubmissionStore, 'take' | 'join'> {
  const { database, wallet, now } = context

  const coalescedBound = coalesce((requests: SubmissionRequest[]) => readBound(database, context, requests))

  return {
    take: requests =>
      database.transaction(async transaction => {
        const all = requests.flatMap(request => (request.follows ? [request.follows, request] : request))
        const found = await readBound(transaction, context, all)
        const at = now()
        const time = new Date(at).toISOString()
        const created: NewSubmission[] = []
        const bindings: Binding[] = []
        const counts = new Map<string, number>()
        for (const { holder, identities } of found.bounds.values())
          if (holder) counts.set(holder.submission.submissionId, identities)

        function create(request: IntakeRequest, predecessor: string | undefined): Holder {
          const { submissionId, typeUrl, message, caller } = request
          const submission = { submissionId, status: 'queued', createdAt: time, updatedAt: time } as const
          created.push({ ...request, predecessor })
          const hash = contentHash(typeUrl, message)
          return { submission, contentHash: hash, content: () => request, ...(caller && { caller }) }
        }

        /** Accepts one request, taking the earlier requests of the batch into account. */
        function takeOne(request: IntakeRequest): IntakeResult {
          const examined = examine(request, found, request.submissionId)
          if ('status' in examined) return examined
          // An earlier call with an unknown outcome created the submission.
          if (examined.own) return { status: 'created', submission: examined.own.submission }
          // If the predecessor conflicts, so does the request.
          const before = examined.joined || !request.follows ? undefined : takeOne(withId(request.follows))
          if (before && !('submission' in before)) return before
          const holder = examined.joined ?? create(request, before?.submission.submissionId)
          const { submissionId } = holder.submission
          const count = counts.get(submissionId) ?? 0
          const kept = examined.free.slice(0, Math.max(0, MAX_IDENTITIES - count))
          counts.set(submissionId, count + kept.length)
          for (const identity of kept) {
            const binding = bindingOf(identity, found, submissionId, request)
            bindings.push(binding)
            const { key, target, caller: owner } = binding
            found.bounds.set(key, { holder, target, owner, identities: 0 })
          }
          return { status: examined.joined ? 'joined' : 'created', submission: holder.submission }
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
      const examined = examine(request, await coalescedBound(request))
      if ('status' in examined) return examined
      return examined.joined && { status: 'joined', submission: examined.joined.submission }
    }
  }
}

interface Examined {
  /** The submission that has the request's submissionId. */
  own?: Holder
  /** The submission with the same content and one of the identities. */
  joined?: Holder | undefined
  /** The identities that belong to no submission, or only to a rejected one. */
  free: Identity[]
}

function examine(
  request: SubmissionRequest,
  { bounds, damages }: BoundIdentities,
  submissionId?: string
): Examined | Exclude<JoinResult, { status: 'joined' }> {
  const free: Identity[] = []
  const held: Holder[] = []
  let conflict: Identity['kind'] | undefined
  for (const identity of request.identities) {
    const key = identityKey(identity)
    const damage = damages.get(key)
    if (damage) return { status: 'damaged', damage }
    const bound = bounds.get(key)
    if (bound?.holder && bound.holder.submission.submissionId === submissionId)
      return { own: bound.holder, free: [] }
    const holder = livingHolder(bound)
    if (holder) held.push(holder)
    else free.push(identity)
    const isAllowed = holder ? mayJoin(request, holder) : mayReuse(request, identity, bound)
    if (!isAllowed) conflict ??= identity.kind
  }
  return conflict ? { status: 'conflict', kind: conflict } : { joined: held[0], free }
}

/**
 * Returns the submission that an identity belongs to, unless it was rejected: a rejected submission keeps none
 * (interface 7.6).
 */
const livingHolder = (bound: Bound | undefined) =>
  bound?.holder?.submission.status === 'rejected' ? undefined : bound?.holder

/** Compares the meaning only of contents with different bytes. */
function isSameContent(request: Pick<SubmissionRequest, 'typeUrl' | 'message'>, holder: Holder): boolean {
  if (contentHash(request.typeUrl, request.message).equals(holder.contentHash)) return true
  const content = holder.content()
  return content !== undefined && meaningOf(request) === meaningOf(content)
}

const mayJoin = (request: SubmissionRequest, holder: Holder): boolean =>
  (holder.caller ?? request.caller) === request.caller && isSameContent(request, holder)

/**
 * Returns whether a request may use a free identity. Everybody can read the seed of a payment in its block, so a
 * refused payment keeps its target (interface 7.29).
 */
function mayReuse(
  { mayRedirect, caller }: SubmissionRequest,
  identity: Identity,
  bound: Bound | undefined
): boolean {
  if (bound?.target === EXECUTED) return false
  if (identity.kind !== 'payment' || !bound || bound.target === identity.target) return true
  return mayRedirect === 'all' || (mayRedirect === 'own' && caller === bound.owner)
}

const SUPERSEDED: Refusal = {
  code: 1,
  codespace: 'service',
  message: 'the chain has executed another request with the same feeId or payment'
}

const REDIRECTED: Refusal = { ...SUPERSEDED, message: 'the payment was first submitted for another target' }

/**
 * Applies the identity rules to a request in a transaction that is not in the store. An executed request settles a
 * submission with the same content, even if it is in a slot, and rejects queued submissions that have the same identity
 * but different content, because they would execute that identity twice. If no submission has the same content, creates
 * one, so that a retry gets the result. Any other request binds its payment to its target, because everybody can read
 * its seed. If an event refuses it, it settles a submission only while that is queued; once it is broadcast, its slot
 * may still execute it.
 * @param settle settles unsettled submissions, and reports them as settled unless they are new
 */
export async function adoptRequest(
  context: StoreContext,
  queries: Queries,
  request: WalletRequest,
  isBackwards: boolean,
  settle: (executions: Execution[], isNew?: true) => Promise<void>
): Promise<void> {
  const { typeUrl, message, feeId, execution } = request
  const found = await readBound(queries, context, [request])
  for (const damage of found.damages.values()) if (damage.stopsEngine) throw damage
  const identities = request.identities.filter(identity => !found.damages.has(identityKey(identity)))
  const held = [...found.bounds.values()].flatMap(bound => livingHolder(bound) ?? [])
  const same = held.find(holder => isSameContent(request, holder))?.submission
  const others = held.filter(
    holder => !isSameContent(request, holder) && holder.submission.status === 'queued'
  )
  const otherIds = [...new Set(others.map(({ submission }) => submission.submissionId))]
  const reject = (error: Refusal, ids: readonly string[]) =>
    ids.map((submissionId): Execution => ({ submissionId, status: 'rejected', error }))

  if (execution?.status !== 'committed') {
    if (execution && same?.status === 'queued')
      await settle([{ ...execution, submissionId: same.submissionId }])
    const redirected = await bindRefused(context, queries, identities, found, otherIds, isBackwards)
    if (redirected.length > 0) await settle(reject(REDIRECTED, redirected))
    return
  }
  const settled = reject(SUPERSEDED, otherIds)
  if (same && same.status !== 'committed') settled.push({ ...execution, submissionId: same.submissionId })
  if (settled.length > 0) await settle(settled)
  if (same) return

  const { submissionId } = execution
  const free = identities.filter(identity => {
    const holder = livingHolder(found.bounds.get(identityKey(identity)))
    return !holder || otherIds.includes(holder.submission.submissionId)
  })
  if (free.length === 0) return
  const adopted = { submissionId, typeUrl, message, feeId }
  await insertSubmissions(queries, context, [adopted], context.now(), 'adopted')
  const bindings = free.map(identity => bindingOf(identity, found, submissionId))
  await bindIdentities(queries, context, bindings)
  await settle([execution], true)
}

/**
 * Binds the payments of a request that was not executed to its target, unless the store already has a binding.
 * @param queuedIds the queued submissions that use one of the payments for different content
 * @param isBackwards whether blocks are read backwards: this earlier target then replaces one that was read from a
 *   later block
 * @returns the queued submissions with another target, which lose their payment to the earlier target
 * @throws CollisionError if another replica has bound one of the payments since they were read
 */
async function bindRefused(
  { wallet }: StoreContext,
  { run }: Queries,
  identities: readonly Identity[],
  { bounds }: BoundIdentities,
  queuedIds: readonly string[],
  isBackwards: boolean
): Promise<string[]> {
  const redirected: string[] = []
  const rows: Binding[] = []
  for (const identity of identities) {
    if (identity.kind !== 'payment') continue
    const key = identityKey(identity)
    const bound = bounds.get(key)
    const holderId = bound?.holder?.submission.submissionId ?? ''
    const isRedirected = queuedIds.includes(holderId) && bound?.target !== identity.target
    if (isRedirected) redirected.push(holderId)
    const { target } = identity
    const isLater = isBackwards && bound?.holder === undefined && bound?.target !== EXECUTED
    if (!bound || isRedirected || isLater)
      rows.push({ key, submissionId: undefined, target, caller: undefined })
  }
  if (rows.length === 0) return []
  const orReplace = sql`ON CONFLICT (wallet_id, key) DO UPDATE SET target = excluded.target, caller = NULL
    WHERE identity.submission_id ${isAnyOf(redirected)} OR identity.submission_id IS NULL`
  if ((await run(insertInto('identity', wallet, rows, orReplace))) !== rows.length) throw new CollisionError()
  return redirected
}

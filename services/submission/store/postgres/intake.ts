import { Type } from '@sinclair/typebox'
import { together } from '../../../async/together.ts'
import { checkFor } from '../../../schema-check.ts'
import { identityKey } from '../../identities.ts'
import type { SubmissionRequest } from '../../types.ts'
import { contentHash } from '../content-hash.ts'
import { examine } from '../examine.ts'
import { baseOf, toSubmission, toSubmissionId } from '../rows/index.ts'
import { createTableReader } from '../rows/table-reader.ts'
import type { IntakeRequest, IntakeResult, JoinResult } from '../types.ts'
import type { Database } from './database.ts'
import { channelOf, writeNews } from './news.ts'
import type { Queries } from './queries.ts'
import { storeSql as sql } from './statements.ts'
import { storedKey } from './stored-key.ts'

const identities = createTableReader('identity', 'key')
const HolderRow = checkFor(Type.Object({ key: Type.String() }))

/** The rows of submissions by the keys of the identities that they hold. */
type Holders = Map<string, unknown>

/** What a group of requests changes. */
interface Changes {
  created: { request: IntakeRequest; hash: Buffer }[]
  /** Identities with the submissions that hold them from now on. */
  held: { key: string; submissionId: string }[]
}

/** Rows of `findHolders` by their keys. */
export function holdersByKey(rows: readonly unknown[]): Holders {
  return new Map(rows.map(row => [identities.row(HolderRow, row).key, row]))
}

function keysOf(requests: readonly SubmissionRequest[]): string[] {
  const keys = requests.flatMap(({ identities }) => identities.map(identityKey))
  return [...new Set(keys.map(storedKey))]
}

/** Accepts submissions, as `SubmissionStore` describes it. */
export function createIntakeStore({
  database,
  wallet,
  now
}: {
  database: Database
  wallet: number
  now: () => number
}) {
  async function holdersOf(queries: Queries, keys: readonly string[]): Promise<Holders> {
    return holdersByKey(await queries.all(sql.findHolders, { wallet, keys }))
  }

  const holdersTogether = together((requests: SubmissionRequest[]) => holdersOf(database, keysOf(requests)))

  /** Two replicas that take an identity at the same moment wait for each other here. */
  async function take(requests: readonly IntakeRequest[], queries: Queries): Promise<IntakeResult[]> {
    const keys = keysOf(requests)
    const submissionIds = requests.map(({ submissionId }) => submissionId)
    const [, holders, earlier] = await Promise.all([
      queries.run(sql.claimIdentities, { wallet, keys }),
      holdersOf(queries, keys),
      queries.all(sql.findSubmissions, { wallet, submissionIds })
    ])
    const at = now()
    const { results, changes } = decide(requests, holders, earlier, at)
    await write(changes, keys, holders, queries, at)
    return results
  }

  async function write(
    { created, held }: Changes,
    keys: readonly string[],
    holders: Holders,
    queries: Queries,
    at: number
  ): Promise<void> {
    const writes: Promise<unknown>[] = []
    if (created.length > 0) {
      const requests = created.map(({ request }) => request)
      const parameters = {
        wallet,
        now: at,
        submissionIds: requests.map(({ submissionId }) => submissionId),
        hashes: created.map(({ hash }) => hash),
        typeUrls: requests.map(({ typeUrl }) => typeUrl),
        messages: requests.map(({ message }) => Buffer.from(message))
      }
      writes.push(queries.run(sql.insertSubmissions, parameters))
      writes.push(
        queries.run(sql.notify, { channel: channelOf(wallet), payload: writeNews({ kind: 'queued' }) })
      )
    }
    if (held.length > 0) {
      const submissionIds = held.map(({ submissionId }) => submissionId)
      writes.push(
        queries.run(sql.holdIdentities, { wallet, keys: held.map(({ key }) => key), submissionIds })
      )
    }
    const unused = keys.filter(key => !holders.has(key))
    if (unused.length > 0) writes.push(queries.run(sql.releaseIdentities, { wallet, keys: unused }))
    await Promise.all(writes)
  }

  return {
    take: (requests: readonly IntakeRequest[]): Promise<IntakeResult[]> =>
      database.atomically(queries => take(requests, queries)),

    async join(request: SubmissionRequest): Promise<JoinResult | undefined> {
      const holders = await holdersTogether(request)
      return examine(request, key => holders.get(storedKey(key))).result
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
  earlier: readonly unknown[],
  at: number
): { results: IntakeResult[]; changes: Changes } {
  const known = new Map<string, unknown>()
  for (const row of holders.values()) known.set(toSubmissionId(row), row)
  const repeated = new Map(earlier.map(toSubmission).map(found => [found.submissionId, found]))
  const changes: Changes = { created: [], held: [] }

  function create(request: IntakeRequest): IntakeResult {
    const { submissionId, typeUrl, message } = request
    const hash = contentHash(typeUrl, message)
    changes.created.push({ request, hash })
    const times = { created_at: at, updated_at: at }
    known.set(submissionId, { submission_id: submissionId, content_hash: hash, status: 'queued', ...times })
    return { status: 'created', submission: { ...baseOf(submissionId, at), status: 'queued' } }
  }

  function takeOne(request: IntakeRequest): IntakeResult {
    const submission = repeated.get(request.submissionId)
    if (submission) return { status: 'created', submission }
    const { result: joined, free } = examine(request, key => holders.get(storedKey(key)))
    const result = joined ?? create(request)
    if (!('submission' in result)) return result
    const { submissionId } = result.submission
    for (const identity of free) {
      const key = storedKey(identityKey(identity))
      holders.set(key, known.get(submissionId))
      changes.held.push({ key, submissionId })
    }
    return result
  }

  return { results: requests.map(takeOne), changes }
}

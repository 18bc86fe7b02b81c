import type { EngineStore, Term } from '../engine-writes.ts'
import { nextEpoch } from '../term-writes.ts'
import { type Dedicated, openDedicated } from './connection.ts'
import { createQueries } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { asStoreError } from './errors.ts'
import { LOCKS } from './locks.ts'
import { channelOf, writeNews } from './news.ts'
import { holdSchema } from './schema.ts'

/** How often a leader shows that it is alive, in milliseconds. One that is silent for 6 seconds can be replaced. */
const CHECK_MS = 1500

/**
 * Grants terms by a lock of the database, which ends with the connection that holds it. A leader that does not notice its
 * end in time, because it was paused or cut off, finds that its writes carry an old epoch.
 */
export function createTerms(options: {
  address: DatabaseAddress
  /** Of the schema. */
  version: number
  wallet: number
  engineStore: (epoch: number, ended: AbortSignal) => EngineStore
}) {
  const { address, version, wallet, engineStore } = options
  let candidate: Dedicated | undefined
  let present: Term | undefined

  /** The connection that holds the lock, or tries to get it. */
  async function connection(): Promise<Dedicated> {
    if (candidate && !candidate.ended.aborted) return candidate
    candidate = await openDedicated(address, { checkMs: CHECK_MS })
    await holdSchema(candidate.client, version)
    return candidate
  }

  async function begin(): Promise<Term | undefined> {
    const { client, ended: lost, close } = await connection()
    const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK, [LOCKS.lead, wallet])
    if (!rows[0]?.locked) return undefined
    // Waits for a write of the term before, which the server ends if its process does not.
    const epoch = await nextEpoch(
      createQueries(config => client.query(config)),
      wallet
    )
    const ending = new AbortController()
    const { signal: ended } = ending
    lost.addEventListener('abort', () => ending.abort(), { signal: ended })
    if (lost.aborted) ending.abort()
    return {
      epoch,
      store: engineStore(epoch, ended),
      ended,
      async resign() {
        ending.abort()
        const news = writeNews({ kind: 'resigned', epoch })
        await client.query(UNLOCK, [LOCKS.lead, wallet, channelOf(wallet), news]).catch(close)
      }
    }
  }

  return {
    /** @returns undefined while another replica leads */
    async lead(): Promise<Term | undefined> {
      await present?.resign()
      present = undefined
      try {
        present = await begin()
        return present
      } catch (error) {
        await candidate?.close()
        throw asStoreError(error)
      }
    },
    async close(): Promise<void> {
      await present?.resign()
      await candidate?.close()
    }
  }
}

const TRY_LOCK = 'SELECT pg_try_advisory_lock($1, $2) AS locked'
const UNLOCK = 'SELECT pg_advisory_unlock($1, $2), pg_notify($3, $4)'

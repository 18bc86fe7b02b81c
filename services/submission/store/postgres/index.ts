import { together } from '../../../async/together.ts'
import type { Logger } from '../../../logger.ts'
import type { QuoteTable } from '../../../quotes/shared-quote-book.ts'
import { StoreUnavailableError } from '../errors.ts'
import { createNewsDesk } from '../news.ts'
import type { Outbox } from '../outbox.ts'
import {
  toAmount,
  toCount,
  toReport,
  toSignerState,
  toSubmission,
  toSubmissionId,
  toTime
} from '../rows/index.ts'
import { readEach } from '../rows/read-each.ts'
import type { SubmissionStore } from '../types.ts'
import { createDatabase, type Database } from './database.ts'
import type { DatabaseAddress } from './database-url.ts'
import { createEngineStore } from './engine-store.ts'
import { DatabaseUnusableError } from './errors.ts'
import { forget } from './forget.ts'
import { createIntakeStore } from './intake.ts'
import { migrations as allMigrations } from './migrations.ts'
import type { createPostgresOutbox } from './outbox.ts'
import { createQuoteTable } from './quote-table.ts'
import { migrateSchema } from './schema.ts'
import { openSession } from './session.ts'
import { storeSql as sql } from './statements.ts'
import { createTerms } from './terms.ts'

/** How long the start waits for a database that cannot be reached, and the pause between two attempts. */
const START_MS = 30_000
const RETRY_MS = 1000

/** A store with the database that it is in. */
export interface PostgresStore extends SubmissionStore {
  database: Database
  quotes: QuoteTable
  /** The number by which the wallet is known in the database. */
  wallet: number
  outbox?: Outbox
}

/**
 * The store in a PostgreSQL database, which any number of replicas and wallets may share.
 * @param options.owner the wallet's address
 * @param options.createOutbox makes what settles a submission write its event
 * @throws DatabaseUnusableError
 */
export async function openPostgresStore(options: {
  address: DatabaseAddress
  owner: string
  log: Logger
  now?: () => number
  startMs?: number
  migrations?: readonly string[]
  createOutbox?: typeof createPostgresOutbox | undefined
}): Promise<PostgresStore> {
  const { address, owner, log, startMs = START_MS, migrations = allMigrations } = options
  const { onNews, announce } = createNewsDesk()
  const version = migrations.length
  const database = createDatabase(address, version)

  async function open() {
    await migrateSchema(address, migrations)
    return openSession({ address, owner, version, announce, onBroken: database.refuse, log })
  }

  const session = await patiently(open, startMs, log).catch(async error => {
    await database.close()
    throw error
  })
  const { wallet } = session
  const { now = session.now } = options
  const intake = createIntakeStore({ database, wallet, now })
  const outbox = options.createOutbox?.({ database, wallet, now })
  const terms = createTerms({
    address,
    version,
    wallet,
    engineStore: epoch => createEngineStore({ database, wallet, epoch, now, outbox })
  })
  const rowsTogether = together(async (submissionIds: string[]) => {
    const rows = await database.all(sql.findSubmissions, { wallet, submissionIds })
    return new Map(rows.map(row => [toSubmissionId(row), row]))
  })
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await terms.close()
    session.close()
    await database.close()
  }

  return {
    database,
    wallet,
    quotes: createQuoteTable(database, wallet),
    ...(outbox && { outbox }),
    ...intake,
    async find(submissionId) {
      const row = (await rowsTogether(submissionId)).get(submissionId)
      return row === undefined ? undefined : toSubmission(row)
    },
    findSettled: async submissionIds =>
      readEach(await database.all(sql.findSettled, { wallet, submissionIds }), toSubmission),
    countUnsettled: async () => toCount(await database.get(sql.countUnsettled, { wallet })),
    oldestUnsettled: async () => toTime(await database.get(sql.oldestUnsettled, { wallet })),
    feesPaidToday: async () => toAmount(await database.get(sql.feesPaid, { wallet })),
    async signer() {
      const row = await database.get(sql.signer, { wallet })
      return row === undefined ? undefined : toSignerState(row)
    },
    async report() {
      const row = await database.get(sql.report, { wallet })
      return row === undefined ? undefined : toReport(row)
    },
    now,
    forget: (keepMs, limit) => forget({ database, wallet, now: now(), keepMs, limit }),
    onNews,
    lead: terms.lead,
    close() {
      closed ??= close()
      return closed
    }
  }
}

/** Repeats an attempt while the database cannot be reached, because it may start at the same time. */
async function patiently<T>(attempt: () => Promise<T>, forMs: number, log: Logger): Promise<T> {
  const end = performance.now() + forMs
  for (;;) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof StoreUnavailableError) || err instanceof DatabaseUnusableError) throw err
      if (performance.now() >= end) {
        throw new DatabaseUnusableError(err.message.replace(/^the database /, ''), { cause: err })
      }
      log.warn({ err }, 'waiting for the database')
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

import { createEngineStore, type EngineStore, type Term } from '../engine-writes.ts'
import { createNewsDesk, createStore } from '../index.ts'
import type { OperatorAccess } from '../operator.ts'
import { createOperatorEvents, createOperatorQueries, createOperatorWrites } from '../operator.ts'
import { createOutbox, type Outbox, type Webhooks } from '../outbox.ts'
import type { Queries } from '../sql.ts'
import { type Home, nextEpoch } from '../term-writes.ts'
import type { LeaderReport, SubmissionStore } from '../types.ts'
import {
  assertHoldsDatabase,
  DataDirectoryError,
  DirectoryInUseError,
  type OpenDatabase,
  openDatabase,
  openForReading
} from './database.ts'
import { createSqliteDatabase, WALLET } from './driver.ts'

/**
 * The embedded store: one SQLite file in `directory`, owned by this process.
 * @param webhooks where there are receivers of webhooks, what settles a submission writes its events
 * @throws DataDirectoryError
 */
export function createSqliteStore(
  directory: string,
  now: () => number = Date.now,
  webhooks?: Webhooks
): SubmissionStore & { outbox?: Outbox } {
  const { onNews, announce } = createNewsDesk()
  const database = createSqliteDatabase(openDatabase(directory), announce)
  const home = { database, wallet: WALLET, now }
  const outbox = webhooks && createOutbox(home, webhooks.onDamage, webhooks.subscriptions)
  let newest: { report: LeaderReport; at: number } | undefined

  function keepReport(report: LeaderReport): void {
    newest = { report, at: now() }
    announce({ kind: 'reported' })
  }

  return {
    ...createStore(home),
    ...(outbox && { outbox }),
    report: async () => newest && { ...newest.report, ageMs: now() - newest.at },
    onNews,
    lead: createTerms(home, (epoch, ended) =>
      createEngineStore({ ...home, epoch, ended, events: outbox, keepReport })
    ),
    close: database.close
  }
}

/**
 * Grants terms to the process that has the data directory alone: at once, and none is ever lost.
 * @returns a function that begins a term, which ends the one before it
 */
function createTerms(
  { database, wallet }: Home,
  engineStore: (epoch: number, ended: AbortSignal) => EngineStore
): () => Promise<Term> {
  let endPresent = () => {}

  return async () => {
    endPresent()
    const ending = new AbortController()
    const { signal: ended } = ending
    endPresent = () => ending.abort()
    const epoch = await nextEpoch(database, wallet)
    return {
      epoch,
      store: engineStore(epoch, ended),
      isAlone: true,
      ended,
      resign: async () => ending.abort()
    }
  }
}

/**
 * The embedded store in a directory, for the operator's tool.
 * @param options.webhooks as for the server
 */
export function sqliteForOperator(
  directory: string,
  { webhooks }: { webhooks?: Webhooks | undefined }
): OperatorAccess {
  /** Without a database there is nothing to change, and none must be created. */
  function openOwn() {
    assertHoldsDatabase(directory)
    const database = createSqliteDatabase(openAlone(directory))
    return { home: { database, wallet: WALLET, now: Date.now }, close: database.close }
  }

  return {
    async read() {
      const database = createSqliteDatabase(openForReading(directory))
      return { queries: createOperatorQueries(database, WALLET), close: database.close }
    },
    async own() {
      const { home, close } = openOwn()
      const epoch = await nextEpoch(home.database, WALLET)
      const options = {
        ...home,
        epoch,
        events: webhooks && createOutbox(home, undefined, webhooks.subscriptions)
      }
      return {
        store: createEngineStore({ ...options, keepReport: () => {} }),
        queries: createOperatorQueries(home.database, WALLET),
        writes: createOperatorWrites(options),
        close
      }
    },
    async events() {
      const { home, close } = openOwn()
      const run: Queries['run'] = statement => home.database.transaction(({ run }) => run(statement))
      return { ...createOperatorEvents(run, home), close }
    }
  }
}

function openAlone(directory: string): OpenDatabase {
  try {
    return openDatabase(directory)
  } catch (cause) {
    if (!(cause instanceof DirectoryInUseError)) throw cause
    throw new DataDirectoryError(directory, 'is in use by another process: stop the server first', { cause })
  }
}

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { t as root, type Test } from 'tap'
import type { EngineStore, SubmissionStore } from '../../services/submission/contract.ts'
import type { Outbox, Webhooks } from '../../services/submission/store/outbox.ts'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import { temporaryFolder, type Variables } from './app.ts'
import { keepingLog } from './keeping-log.ts'
import { addressOf, type Postgres, runSql, startPostgres } from './postgres.ts'
import { test } from './tap.ts'
import { until } from './until.ts'

type WithOutbox = SubmissionStore & { outbox: Outbox }

/** Where a store keeps its data. */
export interface StorePlace {
  kind: 'sqlite' | 'postgres'
  /** Server variables that select this store. */
  env: Variables
  /** Opens the store of a wallet, as a server does. */
  open(owner: string, now?: () => number): Promise<SubmissionStore>
  /** Opens the store with webhooks. */
  openWithOutbox(owner: string, now?: () => number, webhooks?: Webhooks): Promise<WithOutbox>
  /** Runs SQL directly on the data. Close a SQLite store first. */
  execute(sql: string): Promise<void>
  /** Copies the data. No server may be running. */
  copy(): Promise<StorePlace>
}

type NewPlace = { newPlace(t: Test): Promise<StorePlace> }

let starting: Promise<Postgres> | undefined

/** Returns each durable store implementation. All files in a process share one database server. */
export async function durableStores(): Promise<Record<StorePlace['kind'], NewPlace>> {
  starting ??= startPostgres(root)
  const server = await starting
  return {
    sqlite: { newPlace: async test => sqliteIn(temporaryFolder(test), test) },
    postgres: { newPlace: async () => postgresAt(await server.createDatabase(), server) }
  }
}

/** Runs a test with each durable store. */
export async function eachStore(title: string, run: (t: Test, place: StorePlace) => Promise<void>) {
  for (const [name, { newPlace }] of Object.entries(await durableStores()))
    test(`${name}: ${title}`, async t => run(t, await newPlace(t)))
}

function withOutbox(store: SubmissionStore & { outbox?: Outbox }): WithOutbox {
  const { outbox } = store
  if (outbox === undefined) throw new Error('the store has no outbox')
  return { ...store, outbox }
}

function sqliteIn(folder: string, t: Test): StorePlace {
  return {
    kind: 'sqlite',
    env: { SERVICE_DATA_DIR: folder },
    open: async (_, now) => createSqliteStore(folder, now),
    openWithOutbox: async (_, now, webhooks = {}) => withOutbox(createSqliteStore(folder, now, webhooks)),
    async execute(sql) {
      const database = new Database(join(folder, 'submissions.db'))
      database.exec(sql)
      database.close()
    },
    async copy() {
      const copy = join(temporaryFolder(t), 'copy')
      cpSync(folder, copy, { recursive: true })
      return sqliteIn(copy, t)
    }
  }
}

function postgresAt(url: string, server: Postgres): StorePlace {
  const address = addressOf(url)
  const { log } = keepingLog()
  return {
    kind: 'postgres',
    env: { DATABASE_URL: url },
    open: (owner, now = Date.now) => openPostgresStore({ address, owner, log, now }),
    async openWithOutbox(owner, now = Date.now, webhooks = {}) {
      return withOutbox(await openPostgresStore({ address, owner, log, now, webhooks }))
    },
    execute: async sql => void (await runSql(url, sql)),
    async copy() {
      const copying = () => server.createDatabase(url).catch(() => undefined)
      return postgresAt(await until(copying, 'the database has no connections and can be copied'), server)
    }
  }
}

/** Makes a store lead. @returns the store merged with the leader's operations */
export async function leadingStore<S extends SubmissionStore>(store: S): Promise<S & EngineStore> {
  const term = await store.lead()
  if (!term) throw new Error('another store on the same data leads')
  return { ...store, ...term.store }
}

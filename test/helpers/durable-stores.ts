import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import type { Test } from 'tap'
import type { Outbox } from '../../services/submission/store/outbox.ts'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import type { DamageObserver } from '../../services/submission/store/rows.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'
import { temporaryFolder, type Variables } from './app.ts'
import { keepingLog } from './keeping-log.ts'
import { addressOf, type Postgres, runSql, startPostgres } from './postgres/index.ts'
import { until } from './until.ts'

/** Where a store keeps its data. */
export interface StorePlace {
  /** Server variables that select this store. */
  env: Variables
  /** Opens the store of a wallet, as a server does. */
  open(owner: string, now?: () => number): Promise<SubmissionStore>
  /** Opens the store with webhooks. */
  openWithOutbox(
    owner: string,
    now?: () => number,
    onDamage?: DamageObserver
  ): Promise<SubmissionStore & { outbox: Outbox }>
  /** Changes the data behind the store's back. */
  execute(sql: string): Promise<void>
  /** Copies the data, while no server runs. */
  copy(): Promise<StorePlace>
}

/** A store implementation. A test picks a folder for the data, and may reopen it. */
export interface StoreKind {
  newPlace(t: Test): Promise<StorePlace>
  open(folder: string, now?: () => number): Promise<SubmissionStore>
  /** Opens the store with webhooks. */
  openWithOutbox(
    folder: string,
    now?: () => number,
    onDamage?: DamageObserver
  ): Promise<SubmissionStore & { outbox: Outbox }>
  /** Changes the data behind the store's back, while it is closed. */
  execute(folder: string, sql: string): Promise<void>
}

const OWNER = 'service1wallet'

/** Returns every durable store, for one test file. */
export async function durableStores(t: Test): Promise<Record<'sqlite' | 'postgres', StoreKind>> {
  const server = await startPostgres(t)

  /** Returns the database of a folder, which contains the URL. */
  async function databaseOf(folder: string): Promise<StorePlace> {
    const file = join(folder, 'database-url')
    if (!existsSync(file)) writeFileSync(file, await server.createDatabase())
    return postgresAt(readFileSync(file, 'utf8'), server)
  }

  return {
    sqlite: {
      newPlace: async test => sqliteIn(temporaryFolder(test), test),
      open: async (folder, now) => createSqliteStore(folder, now),
      openWithOutbox: async (folder, now, onDamage) => sqliteWithOutbox(folder, now, onDamage),
      execute: async (folder, sql) => executeIn(folder, sql)
    },
    postgres: {
      newPlace: async () => postgresAt(await server.createDatabase(), server),
      open: async (folder, now) => (await databaseOf(folder)).open(OWNER, now),
      openWithOutbox: async (folder, now, onDamage) =>
        (await databaseOf(folder)).openWithOutbox(OWNER, now, onDamage),
      execute: async (folder, sql) => (await databaseOf(folder)).execute(sql)
    }
  }
}

function executeIn(folder: string, sql: string): void {
  const database = new Database(join(folder, 'submissions.db'))
  database.exec(sql)
  database.close()
}

function withOutbox<S extends SubmissionStore & { outbox?: Outbox }>(store: S): S & { outbox: Outbox } {
  const { outbox } = store
  if (outbox === undefined) throw new Error('the store has no outbox')
  return { ...store, outbox }
}

const sqliteWithOutbox = (folder: string, now?: () => number, onDamage?: DamageObserver) =>
  withOutbox(createSqliteStore(folder, now, { onDamage }))

function sqliteIn(folder: string, t: Test): StorePlace {
  return {
    env: { SERVICE_DATA_DIR: folder },
    open: async (_, now) => createSqliteStore(folder, now),
    openWithOutbox: async (_, now, onDamage) => sqliteWithOutbox(folder, now, onDamage),
    execute: async sql => executeIn(folder, sql),
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
    env: { DATABASE_URL: url },
    open: (owner, now = Date.now) => openPostgresStore({ address, owner, log, now }),
    async openWithOutbox(owner, now = Date.now, onDamage) {
      return withOutbox(await openPostgresStore({ address, owner, log, now, webhooks: { onDamage } }))
    },
    execute: async sql => void (await runSql(url, sql)),
    async copy() {
      const copying = () => server.createDatabase(url).catch(() => undefined)
      return postgresAt(await until(copying, 'nobody uses the database'), server)
    }
  }
}

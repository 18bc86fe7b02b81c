import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import type { Test } from 'tap'
import { openPostgresStore } from '../../services/submission/store/postgres/index.ts'
import { createSqliteStore } from '../../services/submission/store/sqlite/index.ts'
import type { SubmissionStore } from '../../services/submission/store/types.ts'
import { keepingLog } from './keeping-log.ts'
import { addressOf, runSql, startPostgres } from './postgres/index.ts'

/** An implementation of the store. A test names a folder for its data, and may open it again. */
export interface StoreKind {
  open(place: string, now?: () => number): SubmissionStore | Promise<SubmissionStore>
  /** Changes the data behind the store's back, while it is closed. */
  execute(place: string, sql: string): Promise<void>
}

/** Every store that keeps its data, for a file of tests. */
export async function durableStores(t: Test): Promise<Record<'sqlite' | 'postgres', StoreKind>> {
  const server = await startPostgres(t)
  /** The database of a place, which is a folder with its URL. */
  async function urlOf(place: string): Promise<string> {
    const file = join(place, 'database-url')
    if (existsSync(file)) return readFileSync(file, 'utf8')
    const url = await server.createDatabase()
    writeFileSync(file, url)
    return url
  }

  return {
    sqlite: {
      open: createSqliteStore,
      async execute(place, sql) {
        const database = new Database(join(place, 'submissions.db'))
        database.exec(sql)
        database.close()
      }
    },
    postgres: {
      async open(place, now = Date.now) {
        const { log } = keepingLog()
        return openPostgresStore({
          address: addressOf(await urlOf(place)),
          owner: 'service1wallet',
          log,
          now
        })
      },
      async execute(place, sql) {
        await runSql(await urlOf(place), sql)
      }
    }
  }
}

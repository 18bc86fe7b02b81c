import { EventEmitter } from 'node:events'
import Database from 'libsql'
import type { Notification, SubmissionStore } from '../../../services/submission/contract.ts'
import { createStore, type Notifications } from '../../../services/submission/store/index.ts'
import { schema } from '../../../services/submission/store/schema.ts'
import type { Connection } from '../../../services/submission/store/sqlite/database.ts'
import { createSqliteDatabase, WALLET } from '../../../services/submission/store/sqlite/index.ts'

const TABLES = ['wallet', 'wallet_state', 'slot', 'signed_tx', 'submission', 'identity', 'fee_day']

export interface ReplicaStore extends SubmissionStore {
  loseLock(): Promise<void>
}

export type SharedDatabase = ReturnType<typeof createMemoryDatabase>

/** Databases to reuse, because their statements are already prepared. */
const idle: ReturnType<typeof prepare>[] = []

function prepare() {
  const connection: Connection = new Database(':memory:')
  connection.exec(`PRAGMA foreign_keys = ON; ${schema}`)
  const notifications: Notifications = new EventEmitter()
  // Each restart of a replica adds a listener.
  notifications.setMaxListeners(0)
  const close = () => void connection.close()
  return { connection, notifications, database: createSqliteDatabase({ connection, close }, notifications) }
}

/**
 * Creates an in-memory SQLite database for the real store. As with PostgreSQL, replicas share the database: a lock
 * makes one replica the leader, and the leader's writes carry the epoch of its term.
 */
export function createMemoryDatabase(now: () => number = Date.now) {
  const prepared = idle.pop() ?? prepare()
  const { connection, database, notifications } = prepared
  const context = { database, wallet: WALLET, now }
  let holder: symbol | undefined
  let copies = 0

  /** Replaces all rows. @param from prefix of the tables to copy from; if omitted, inserts only the wallet's row */
  function fill(from?: string): void {
    const rows = TABLES.map(table => (from ? `INSERT INTO ${table} SELECT * FROM ${from}_${table}` : ''))
    const wallet = from ? '' : `INSERT INTO wallet (wallet_id, address) VALUES (${WALLET}, '')`
    const emptied = TABLES.map(table => `DELETE FROM ${table}`)
    connection.exec(
      ['PRAGMA foreign_keys = OFF', ...emptied, ...rows, wallet, 'PRAGMA foreign_keys = ON'].join(';')
    )
  }

  function open(): ReplicaStore {
    let held: symbol | undefined

    async function loseLock(): Promise<void> {
      if (holder === held) holder = undefined
    }

    async function lock() {
      if (holder !== undefined) return undefined
      const mine = Symbol('lock')
      holder = mine
      held = mine
      return {
        async release(notification?: Notification) {
          if (holder === mine) holder = undefined
          if (notification) notifications.emit('notification', notification)
        }
      }
    }

    return { ...createStore({ ...context, lock, notifications, close: loseLock }), loseLock }
  }

  fill()
  return {
    context,
    open,
    get isLed(): boolean {
      return holder !== undefined
    },
    /** Takes a snapshot of all rows or of the initial state. @returns a function that restores it while no replica runs */
    copy(what: 'all' | 'nothing'): () => void {
      if (what === 'nothing') return fill
      copies += 1
      const name = `copy_${copies}`
      const copied = TABLES.map(table => `CREATE TEMP TABLE ${name}_${table} AS SELECT * FROM ${table}`)
      connection.exec(copied.join(';'))
      return () => fill(name)
    },
    close(): void {
      for (; copies > 0; copies--) {
        connection.exec(TABLES.map(table => `DROP TABLE copy_${copies}_${table}`).join(';'))
      }
      notifications.removeAllListeners()
      idle.push(prepared)
    }
  }
}

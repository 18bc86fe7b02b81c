import { EventEmitter } from 'node:events'
import Database from 'libsql'
import type { Notification, SubmissionStore } from '../../../services/submission/contract.ts'
import { createStore, type Notifications } from '../../../services/submission/store/index.ts'
import { schema } from '../../../services/submission/store/schema.ts'
import { createSqliteDatabase, WALLET } from '../../../services/submission/store/sqlite/index.ts'

const TABLES = ['wallet', 'wallet_state', 'slot', 'signed_tx', 'submission', 'identity', 'fee_day']

export interface ReplicaStore extends SubmissionStore {
  loseLock(): Promise<void>
}

export type SharedDatabase = ReturnType<typeof createMemoryDatabase>

/**
 * Creates an in-memory SQLite database for the real store. As with PostgreSQL, replicas share the database: a lock
 * makes one replica the leader, and the leader's writes carry the epoch of its term.
 */
export function createMemoryDatabase(now: () => number = Date.now) {
  const connection = new Database(':memory:')
  const notifications: Notifications = new EventEmitter()
  // Each restart of a replica adds a listener.
  notifications.setMaxListeners(0)
  const database = createSqliteDatabase({ connection, close: () => void connection.close() }, notifications)
  const context = { database, wallet: WALLET, now }
  let holder: symbol | undefined
  let copies = 0

  const forEachTable = (...statements: ((table: string) => string)[]) =>
    connection.exec(statements.flatMap(statement => TABLES.map(statement)).join(';'))

  function open(): ReplicaStore {
    let held: symbol | undefined

    async function loseLock(): Promise<void> {
      if (holder === held) holder = undefined
    }

    async function lock() {
      if (holder !== undefined) return undefined
      const mine = Symbol('lock')
      holder = held = mine
      return {
        async release(notification?: Notification) {
          if (holder === mine) holder = undefined
          if (notification) notifications.emit('notification', notification)
        }
      }
    }

    return { ...createStore({ ...context, lock, notifications, close: loseLock }), loseLock }
  }

  /** Takes a snapshot of all rows. @returns a function that restores it while no replica runs */
  function copy(): () => void {
    const name = `copy_${++copies}`
    forEachTable(table => `CREATE TEMP TABLE ${name}_${table} AS SELECT * FROM ${table}`)
    return () => {
      connection.exec('PRAGMA foreign_keys = OFF')
      forEachTable(
        table => `DELETE FROM ${table}`,
        table => `INSERT INTO ${table} SELECT * FROM ${name}_${table}`
      )
      connection.exec('PRAGMA foreign_keys = ON')
    }
  }

  connection.exec(`PRAGMA foreign_keys = ON; ${schema}; INSERT INTO wallet (address) VALUES ('')`)
  return { context, open, copy, empty: copy(), close: database.close }
}

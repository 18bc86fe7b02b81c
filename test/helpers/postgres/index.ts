import { Client } from 'pg'
import type { Test } from 'tap'
import { readDatabaseUrl } from '../../../config/database-url.ts'
import type { DatabaseAddress } from '../../../services/submission/store/postgres/connection.ts'
import { createCluster, PASSWORD, USER } from './data-folder.ts'
import { serverFor } from './server.ts'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Starts a real PostgreSQL server of the oldest supported version. It stops when the test ends. */
export async function startPostgres(t: Pick<Test, 'teardown'>, ...options: string[]) {
  const data = await createCluster(t)
  const server = await serverFor(t, data)
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@127.0.0.1:${server.port}/${database}`
  let databases = 0
  await server.start(...options)
  return {
    ...server,
    data,
    urlOf,
    /** Creates an empty database, or a copy of a database without connections. @returns its URL */
    async createDatabase(original = urlOf('template1')) {
      databases += 1
      const name = `test_${databases}`
      const template = new URL(original).pathname.slice(1)
      await runSql(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`)
      return urlOf(name)
    }
  }
}

/** Parses a URL as the configuration does. */
export function addressOf(url: string): DatabaseAddress {
  const address = readDatabaseUrl(url)
  if (address === undefined) throw new TypeError('not a database URL')
  return address
}

/** Runs SQL on a separate connection. @returns the rows */
export async function runSql(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

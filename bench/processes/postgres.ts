import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { runSql, startPostgres } from '../../test/helpers/postgres/index.ts'
import type { Lab } from '../lab.ts'

/** As a server is run in production: a commit waits for the disk. */
const DURABLE = ['-c', 'fsync=on', '-c', 'full_page_writes=on']

/** In one second; Linux has had no other value for user programs. */
const TICKS = 100

export interface DatabaseServer {
  /** Makes an empty database. @returns its URL */
  createDatabase(): Promise<string>
  /** CPU time of the server with all its processes since its start, in milliseconds. Only Linux has it: NaN elsewhere. */
  cpuMs(): number
}

/** Starts a PostgreSQL server that ends with the benchmark. */
export async function startDatabaseServer(lab: Lab): Promise<DatabaseServer> {
  const { createDatabase, data } = await startPostgres(lab, ...DURABLE)
  const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  return { createDatabase, cpuMs: () => cpuMsOf(main) }
}

/** The end of what the server has written to its write-ahead log, in bytes. */
export async function walPosition(databaseUrl: string): Promise<number> {
  const [row] = await runSql(databaseUrl, "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS position")
  return Value.Parse(Position, row).position
}

const Position = Type.Object({ position: Type.Number() })

/** The fields of `/proc/PID/stat` after the name of the program; undefined when the process is gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) /)
    return fields.split(' ')
  } catch {
    return undefined
  }
}

const PARENT = 1
const [OWN_USER, OWN_SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14] as const

/** CPU time of a process, of its children and of those that have ended. */
function cpuMsOf(main: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const ticks = (stat: string[] | undefined, ...fields: number[]) =>
    fields.reduce((total, field) => total + Number(stat?.[field] ?? 0), 0)
  const children = readdirSync('/proc')
    .map(name => statOf(Number(name)))
    .filter(stat => stat?.[PARENT] === String(main))
    .map(stat => ticks(stat, OWN_USER, OWN_SYSTEM))
  const own = ticks(statOf(main), OWN_USER, OWN_SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM)
  return ((own + children.reduce((total, part) => total + part, 0)) * 1000) / TICKS
}

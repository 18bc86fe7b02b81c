import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import Database from 'libsql'

/**
 * Kills a server at a crash point. Preload this module with `--import`: after SIGWINCH, the process receives SIGKILL
 * when it first reaches the point named in CRASH_POINT. The service needs no code for this: the module intercepts SQL
 * statements and requests to a node in the libraries.
 */
export type CrashPoint =
  | `${'before' | 'during' | 'after'} ${Write} commit`
  | 'broadcast sent'
  | 'response received'

type Write = keyof typeof WRITES

/** Patterns of SQL statements, each of which occurs in only one kind of store transaction. */
const WRITES = {
  intake: /\bINSERT INTO submission\b/,
  slot: /\bINSERT INTO signed_tx\b/,
  results: /\bSET status = outcome\.status/
}

const crashPoint = process.env['CRASH_POINT']
let armed = false
process.on('SIGWINCH', () => {
  armed = true
  writeSync(2, 'crash point armed\n')
})

function reach(point: CrashPoint): void {
  if (!armed || point !== crashPoint) return
  // SIGKILL runs no exit handlers and flushes no streams, hence writeSync.
  writeSync(2, `crash point reached: ${point}\n`)
  process.kill(process.pid, 'SIGKILL')
}

const writeOf = (sql: string) => (Object.keys(WRITES) as Write[]).find(write => WRITES[write].test(sql))

let written: Write | undefined
const { prepare, exec } = Database.prototype

Reflect.set(Database.prototype, 'prepare', function (this: Database.Database, sql: string) {
  const statement: { run(...parameters: unknown[]): unknown } = prepare.call(this, sql)
  const write = writeOf(sql)
  if (write === undefined) return statement
  const run = statement.run.bind(statement)
  statement.run = (...parameters: unknown[]) => {
    const result = run(...parameters)
    written = write
    reach(`during ${write} commit`)
    return result
  }
  return statement
})

Reflect.set(Database.prototype, 'exec', function (this: Database.Database, sql: string) {
  const committing = sql === 'COMMIT' ? written : undefined
  if (committing) reach(`before ${committing} commit`)
  exec.call(this, sql)
  written = undefined
  if (committing) reach(`after ${committing} commit`)
})

function onBroadcast(channel: string, point: CrashPoint): void {
  subscribe(channel, event => {
    const { request } = event as { request: { body: Buffer | null } }
    if (request.body?.includes('"broadcast_tx_sync"')) reach(point)
  })
}

onBroadcast('undici:request:bodySent', 'broadcast sent')
onBroadcast('undici:request:trailers', 'response received')

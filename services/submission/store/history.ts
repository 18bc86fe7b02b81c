import { parseJson } from '../../json.ts'
import { raw, type Sql, sql } from './sql.ts'

/** The column `history` keeps at most about this many characters, however often a transaction is signed again. */
const MAX_LENGTH = 10_000

/** Something that happened to a submission or to a webhook event, for support. */
export interface HistoryEntry {
  /** In milliseconds since the epoch. */
  at: number
  what: 'accepted' | 'adopted' | 'signed' | 'queued' | 'attempt'
  [detail: string]: string | number | undefined
}

/** Returns the line of an entry. Entries are lines, so that SQL can append one. */
export const historyLine = (entry: HistoryEntry): string => `${JSON.stringify(entry)}\n`

/** Returns the SQL that appends a line: `SET history = ${appended('table', sql`line`)}`. */
export function appended(table: string, line: Sql): Sql {
  const before = raw(`coalesce(${table}.history, '')`)
  return sql`CASE WHEN length(${before}) < ${raw(String(MAX_LENGTH))} THEN ${before} || coalesce(${line}, '') ELSE ${before} END`
}

/** Leaves out damaged lines. */
export const readHistory = (text: unknown): HistoryEntry[] =>
  String(text ?? '')
    .split('\n')
    .flatMap(line => {
      const entry = Object(parseJson(line))
      return Number.isFinite(entry.at) && typeof entry.what === 'string' ? [entry] : []
    })

import { createHash } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { hostname } from 'node:os'
import { parseJson } from '../json.ts'

/** One thing that somebody did (interface 25.2). */
export interface AuditEntry {
  /** Who: `server`, `caller NAME`, `public` for requests without a key, or `operator NAME`. */
  actor: string
  action: string
  /** `done`, or why not. */
  outcome: string
  /** What else there is to know, without secrets. */
  details?: Readonly<Record<string, unknown>>
}

interface AuditLine extends AuditEntry {
  time: string
  /** The hash of the line before; empty in the first. */
  previous: string
}

/** The hash of what a line says, in hex. */
const hashOf = (line: AuditLine): string => createHash('sha256').update(JSON.stringify(line)).digest('hex')

/** No line is longer: details are cut to fit. */
const LONGEST = 16_384
/** In characters, of an action or an outcome that does not fit: six bytes each at most. */
const LONGEST_TEXT = 1024

/**
 * Appends a line to the audit log, which is on the disk when this returns. Several processes may write to one file.
 * @throws the error of the file system; then nothing was appended
 */
export function appendAudit(path: string, entry: AuditEntry, now = Date.now()): void {
  const unlock = lock(`${path}.lock`)
  try {
    const file = openSync(path, 'a+', 0o600)
    try {
      const { previous, end } = lastOf(file)
      // What a power failure has cut off was never a line.
      ftruncateSync(file, end)
      // Unlike one `write`, all of it or an error.
      writeFileSync(file, `${format(entry, previous, now)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } finally {
    unlock()
  }
}

function format(entry: AuditEntry, previous: string, now: number): string {
  const { actor, action, outcome, details } = entry
  const line = {
    time: new Date(now).toISOString(),
    actor,
    action,
    outcome,
    ...(details && { details }),
    previous
  }
  const text = JSON.stringify({ ...line, hash: hashOf(line) })
  if (Buffer.byteLength(text) < LONGEST) return text
  const [shortAction, shortOutcome] = [action, outcome].map(text => text.slice(0, LONGEST_TEXT))
  const cut = { actor, action: shortAction ?? '', outcome: shortOutcome ?? '', details: { cut: true } }
  return format(cut, previous, now)
}

/** The hash of the last whole line, and where that ends. */
function lastOf(file: number): { previous: string; end: number } {
  const { size } = fstatSync(file)
  const tail = Buffer.alloc(Math.min(size, 2 * LONGEST))
  readSync(file, tail, 0, tail.length, size - tail.length)
  const length = tail.lastIndexOf('\n') + 1
  const [last = ''] = tail.subarray(0, length).toString().trimEnd().split('\n').slice(-1)
  const line = parseJson(last)
  const previous = typeof line === 'object' && line !== null && 'hash' in line ? String(line.hash) : ''
  return { previous, end: size - tail.length + length }
}

/** A lock that a killed process has left is taken after so long, in milliseconds; each is held for one write. */
const STALE_MS = 10_000
const PAUSE_MS = 5

/** @returns what gives it back */
function lock(path: string): () => void {
  for (;;) {
    try {
      writeFileSync(path, `${process.pid}@${hostname()}`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    if (isStale(path)) rmSync(path, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

/** Whether the holder was killed. Only the age of the lock can tell for another host, and the clock may have been set back since. */
function isStale(path: string): boolean {
  try {
    if (Math.abs(Date.now() - statSync(path).mtimeMs) > STALE_MS) return true
    const [, pid, host] = /^(\d+)@(.*)$/.exec(readFileSync(path, 'utf8')) ?? []
    return host === hostname() && !isOther(Number(pid))
  } catch (error) {
    // It was given back meanwhile.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Whether another process with this id runs. This one holds no lock while it waits for one: its id is that of a predecessor. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Checks that no line of an audit log was changed, put in or taken out. Lines at the end may be missing: compare the last hash with one
 * that was kept elsewhere.
 * @returns the number of lines and the hash of the last one, or the number of the first line that is wrong
 */
export function verifyAudit(path: string): { lines: number; hash: string } | { wrongLine: number } {
  const lines = readFileSync(path, 'utf8').split('\n')
  // A line that is cut off at the end is none yet.
  lines.pop()
  let previous = ''
  for (const [index, text] of lines.entries()) {
    const { hash, ...line }: AuditLine & { hash?: unknown } = Object(parseJson(text))
    const isWhole = text === JSON.stringify({ ...line, hash })
    if (!isWhole || line.previous !== previous || hash !== hashOf(line)) return { wrongLine: index + 1 }
    previous = String(hash)
  }
  return { lines: lines.length, hash: previous }
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { FileLockedError, lockFile } from '../file-lock.ts'
import { parseJson } from '../json.ts'

/** An audited action (interface 25.2). */
export interface AuditEntry {
  /** `server`, `caller NAME`, `public` for requests without a key, or `operator NAME`. */
  actor: string
  action: string
  /** `done`, or the reason for a failure. */
  outcome: string
  details?: Readonly<Record<string, unknown>>
}

interface TimedEntry extends AuditEntry {
  time: string
}

interface AuditLine extends TimedEntry {
  /** Hash of the previous line; empty in the first line. */
  previous: string
}

const hashOf = (line: AuditLine): string => createHash('sha256').update(JSON.stringify(line)).digest('hex')

/** How long an append waits for other processes, in milliseconds. Each holds the lock for only one write. */
const MOST_WAIT_MS = 20_000
const PAUSE_MS = 10

/** Maximum line length in bytes. Longer lines lose their details. */
const LONGEST = 16_384
/** Maximum length of the action and the outcome in a line that is too long. A character takes at most six bytes. */
const LONGEST_TEXT = 1024

export function createAuditLog(path: string) {
  let last: Promise<unknown> = Promise.resolve()
  return {
    /**
     * Resolves once the line is on disk.
     * @throws the error of the file system, or FileLockedError if another process held the lock for too long. Nothing
     *   was appended then.
     */
    append(entry: AuditEntry): Promise<void> {
      const timed = { ...entry, time: new Date().toISOString() }
      const deadline = systemClock.elapsed() + MOST_WAIT_MS
      const written = last.then(() => write(path, timed, deadline))
      last = written.catch(() => {})
      return written
    }
  }
}

async function write(path: string, entry: TimedEntry, deadline: number): Promise<void> {
  const lock = await lockOf(path, deadline)
  try {
    const file = await open(path, 'a+', 0o600)
    try {
      await append(file, entry)
    } finally {
      await file.close()
    }
  } finally {
    lock.close()
  }
}

async function lockOf(path: string, deadline: number) {
  for (;;) {
    try {
      return lockFile(`${path}.lock.db`)
    } catch (error) {
      if (!(error instanceof FileLockedError) || systemClock.elapsed() > deadline) throw error
    }
    await setTimeout(PAUSE_MS)
  }
}

async function append(file: FileHandle, entry: TimedEntry): Promise<void> {
  const { previous, end } = await lastOf(file)
  // Remove an incomplete line left by a power failure.
  await file.truncate(end)
  try {
    await file.appendFile(`${format(entry, previous)}\n`)
    await file.sync()
  } catch (error) {
    await file.truncate(end)
    throw error
  }
}

function format({ time, actor, action, outcome, details }: TimedEntry, previous: string): string {
  const line = { time, actor, action, outcome, ...(details && { details }), previous }
  const text = JSON.stringify({ ...line, hash: hashOf(line) })
  if (Buffer.byteLength(text) < LONGEST) return text
  const shorter = { action: action.slice(0, LONGEST_TEXT), outcome: outcome.slice(0, LONGEST_TEXT) }
  return format({ time, actor, ...shorter, details: { cut: true } }, previous)
}

/** Returns the hash of the last complete line, and the offset of its end. */
async function lastOf(file: FileHandle): Promise<{ previous: string; end: number }> {
  const { size } = await file.stat()
  const tail = Buffer.alloc(Math.min(size, 2 * LONGEST))
  await file.read(tail, 0, tail.length, size - tail.length)
  const length = tail.lastIndexOf('\n') + 1
  const [last = ''] = tail.subarray(0, length).toString().trimEnd().split('\n').slice(-1)
  const line = parseJson(last)
  const previous = typeof line === 'object' && line !== null && 'hash' in line ? String(line.hash) : ''
  return { previous, end: size - tail.length + length }
}

/**
 * Checks that each line contains the hash of the previous one. Anyone with write access can rewrite the file from any
 * line on, so compare the last hash with a copy kept elsewhere.
 * @returns the number of lines and the last hash, or the number of the first invalid line
 */
export async function verifyAudit(
  path: string
): Promise<{ lines: number; hash: string } | { wrongLine: number }> {
  let [lines, previous, rest] = [0, '', '']
  // Read in chunks: a string cannot exceed 512 MB.
  for await (const chunk of createReadStream(path, 'utf8')) {
    const texts = `${rest}${chunk}`.split('\n')
    // Ignore an incomplete line at the end.
    rest = texts.pop() ?? ''
    for (const text of texts) {
      lines += 1
      const { hash, ...line }: AuditLine & { hash?: unknown } = Object(parseJson(text))
      const isWhole = text === JSON.stringify({ ...line, hash })
      if (!isWhole || line.previous !== previous || hash !== hashOf(line)) return { wrongLine: lines }
      previous = String(hash)
    }
  }
  return { lines, hash: previous }
}

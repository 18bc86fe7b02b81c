import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../clock.ts'
import { FileLockedError, lockFile } from '../file-lock.ts'
import { parseJson } from '../json.ts'

/** An audited action (interface 25.4). */
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
/** Maximum length of the action and the outcome in a shortened line. A character has at most six bytes in JSON. */
const LONGEST_TEXT = 1024

export function createAuditLog(path: string) {
  let last: Promise<unknown> = Promise.resolve()
  /** The next write, with the entries that arrived during the current one. */
  let next: { entries: TimedEntry[]; written: Promise<void> } | undefined

  function begin() {
    const entries: TimedEntry[] = []
    const written = last.then(() => {
      next = undefined
      return write(path, entries)
    })
    last = written.catch(() => {})
    return { entries, written }
  }

  return {
    /**
     * Resolves once the line is on disk.
     * @throws the error of the file system, or FileLockedError if another process held the lock for too long. In both
     *   cases, nothing was appended.
     */
    append(entry: AuditEntry): Promise<void> {
      next ??= begin()
      next.entries.push({ ...entry, time: new Date().toISOString() })
      return next.written
    }
  }
}

async function write(path: string, entries: readonly TimedEntry[]): Promise<void> {
  const lock = await lockOf(path)
  try {
    const file = await open(path, 'a+', 0o600)
    try {
      await appendLines(file, entries)
    } finally {
      await file.close()
    }
  } finally {
    lock.close()
  }
}

async function lockOf(path: string) {
  for (const end = systemClock.elapsed() + MOST_WAIT_MS; ; await setTimeout(PAUSE_MS)) {
    try {
      return lockFile(`${path}.lock.db`)
    } catch (error) {
      if (!(error instanceof FileLockedError) || systemClock.elapsed() > end) throw error
    }
  }
}

async function appendLines(file: FileHandle, entries: readonly TimedEntry[]): Promise<void> {
  const { end, ...last } = await lastOf(file)
  let { previous } = last
  let text = ''
  for (const entry of entries) {
    const line = format(entry, previous)
    text += `${line.text}\n`
    previous = line.hash
  }
  // Remove an incomplete line left by a power failure.
  await file.truncate(end)
  try {
    await file.appendFile(text)
    await file.sync()
  } catch (error) {
    await file.truncate(end)
    throw error
  }
}

function format({ time, actor, action, outcome, details }: TimedEntry, previous: string) {
  const line = { time, actor, action, outcome, ...(details && { details }), previous }
  const hash = hashOf(line)
  const text = JSON.stringify({ ...line, hash })
  if (Buffer.byteLength(text) < LONGEST) return { text, hash }
  const [shortAction, shortOutcome] = [action, outcome].map(text => text.slice(0, LONGEST_TEXT))
  const cut = { time, actor, action: shortAction ?? '', outcome: shortOutcome ?? '', details: { cut: true } }
  return format(cut, previous)
}

/** Returns the hash of the last complete line and the offset of its end. */
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

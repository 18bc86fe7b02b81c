import { scrub } from '../secrets.ts'

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Characters that terminals interpret. Strings from clients, integrators and upstreams can contain them. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Replaces unpaired surrogates, and characters that terminals interpret, with spaces. */
const printable = (text: string) => text.replace(NOT_SHOWN, ' ')

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/**
 * Truncates a string from a client or an integrator, and replaces control characters. Does not remove secrets: the
 * sender knows none, and a client that gets its own string back would see that a guess was right.
 */
export const shown = (text: string, longest: number) => printable(cut(text, longest))

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Prepares lines for a terminal. Replaces characters that terminals interpret, including line breaks, with JSON
 * escapes, so that JSON keeps its meaning (interface 14.23).
 */
export const terminalLines = (...lines: readonly string[]) =>
  lines.map(line => `${line.replace(NOT_SHOWN, escaped)}\n`).join('')

/** How many additional characters to read, because removing secrets shortens the text. */
const READ_MORE = 4096

/**
 * Removes the secrets from a string of an upstream, and then truncates it, because what truncation leaves of a secret
 * would not be recognized (interface 1.6). `hasCutEnd` also removes a short part of a secret at the end, where the
 * upstream may have truncated the string; use it only for strings that no client sees.
 */
export function scrubbed(text: string, longest: number, hasCutEnd = false): string {
  const read = text.slice(0, longest + READ_MORE)
  return cut(scrub(read, { end: hasCutEnd || read.length < text.length }), longest)
}

/** Prepares a string of an upstream for a response, the log or the store. */
export const cleaned = (text: string, longest: number) => printable(scrubbed(text, longest))

/** Number of UTF-16 code units that `shorten` keeps at each end. */
const KEPT = 2048

/**
 * Like `cleaned`, for strings from the chain, which can be as long as a response. Keeps both ends, because the SDK writes
 * the failed message at the start and the error name at the end. Never shorten a string that will be parsed.
 */
export function shorten(text: string): string {
  const half = KEPT + READ_MORE
  const isRead = text.length <= 2 * half
  const start = isRead ? scrub(text) : scrub(text.slice(0, half), { end: true })
  const end = isRead ? start : scrub(text.slice(-half), { start: true })
  if (isRead && start.length <= 2 * KEPT) return printable(start)
  const left = text.length - 2 * KEPT
  return printable(`${start.slice(0, KEPT)} … ${left} characters … ${end.slice(-KEPT)}`)
}

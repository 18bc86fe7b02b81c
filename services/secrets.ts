import { isObject } from './json.ts'

/**
 * The secrets of this process, which must not get from an outside text into a log, a response or the store: upstreams
 * echo requests, in many spellings. Texts are compared in a form in which all spellings are equal, so the work grows
 * with the text and not with the number of spellings.
 */

/** The minimum length of a secret. Shorter parts are ordinary words, such as `rpc` or `v2` (interface 1.6). */
const MIN_SECRET = 6

/**
 * Any part of a secret with at least this many characters is removed. If shorter parts were removed, a client that gets
 * its own text back could guess a secret piece by piece, because a correct guess would be missing.
 */
const PIECE = 12

/** The minimum length of a part that is removed where a text was truncated. */
const MIN_CUT_PIECE = 4

/** The maximum depth of nested escapes, such as `%252f`. */
const MAX_NESTING = 4

const ESCAPE =
  /%([\da-f]{2})|\\u([\da-f]{4})|\\u\{([\da-f]{1,6})\}|\\x([\da-f]{2})|\\([^ux])|&#x([\da-f]{1,6});|&#(\d{1,7});|&([a-z]{2,7});/iy

/** What truncation can leave of an escape: its start, at the end of a string, or its end, at the start of one. */
const ESCAPE_START = /^(?:%(?:25)*[\da-f]?|\\[ux]?[\da-f]{0,3}|&#?\w{0,7})?$/
const ESCAPE_END = /^[\da-f]{0,5};?$/
const MAX_ESCAPE = 9

const NAMED: Record<string, string> = {
  amp: '&',
  apos: "'",
  colon: ':',
  commat: '@',
  equals: '=',
  gt: '>',
  lt: '<',
  num: '#',
  percnt: '%',
  plus: '+',
  quot: '"',
  sol: '/'
}

const WHITE_SPACE: Record<string, string> = { b: ' ', f: ' ', n: ' ', r: ' ', t: ' ' }

/** A text in bytes, as a string, and for each byte where its spelling starts and ends in the original. */
interface Reading {
  bytes: string
  from: Int32Array
  to: Int32Array
}

function bytesOf([whole = '', percent, unit, point, hex, escaped, entityHex, entity, name]: RegExpExecArray) {
  if (escaped !== undefined) return WHITE_SPACE[escaped] ?? escaped
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
  const byte = percent ?? hex
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
  const code = entity === undefined ? Number.parseInt(unit ?? point ?? entityHex ?? '', 16) : Number(entity)
  return code > 0x10ffff ? whole : Buffer.from(String.fromCodePoint(code)).toString('latin1')
}

/** Replaces the escapes once. */
function unescaped({ bytes, from, to }: Reading): Reading {
  const parts: string[] = []
  const starts = new Int32Array(bytes.length)
  const ends = new Int32Array(bytes.length)
  let length = 0
  let copied = 0
  const keep = (text: string, start: number, end?: number) => {
    parts.push(text)
    for (let at = 0; at < text.length; at++, length++) {
      starts[length] = from[end === undefined ? start + at : start] ?? 0
      ends[length] = to[end === undefined ? start + at : end - 1] ?? 0
    }
  }
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at)
    if (code !== 0x25 && code !== 0x5c && code !== 0x26) continue
    ESCAPE.lastIndex = at
    const found = ESCAPE.exec(bytes)
    if (found === null) continue
    keep(bytes.slice(copied, at), copied)
    copied = at + found[0].length
    keep(bytesOf(found), at, copied)
    at = copied - 1
  }
  if (copied === 0) return { bytes, from, to }
  keep(bytes.slice(copied), copied)
  return { bytes: parts.join(''), from: starts, to: ends }
}

/** Characters that encodings exchange for one another, or that a line break adds. Base64url differs in `-` and `_`. */
const isIgnored = (code: number) => code <= 0x20 || code === 0x2b || code === 0x2d || code === 0xa0

/** Returns a text in the form in which all spellings are equal: without escapes, white space, case, `+` and `-`. */
function read(bytes: string): Reading {
  const places = { from: new Int32Array(bytes.length), to: new Int32Array(bytes.length) }
  for (let at = 0; at < bytes.length; at++) {
    places.from[at] = at
    places.to[at] = at + 1
  }
  let reading: Reading = { bytes, ...places }
  for (let round = 0; round < MAX_NESTING; round++) {
    const next = unescaped(reading)
    if (next.bytes === reading.bytes) break
    reading = next
  }
  const codes = Buffer.from(reading.bytes, 'latin1')
  const { from, to } = reading
  let length = 0
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (isIgnored(code)) continue
    codes[length] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code === 0x5f ? 0x2f : code
    from[length] = from[at] ?? 0
    to[length] = to[at] ?? 0
    length += 1
  }
  return { bytes: codes.toString('latin1', 0, length), from, to }
}

const asBytes = (text: string) => Buffer.from(text).toString('latin1')

/** The secrets in the form of `read`. Any part with at least PIECE characters is removed. */
const secrets = new Set<string>()
/** All strings that are removed, wherever they occur. */
const pieces = new Set<string>()
const lengths = new Set<number>()
/** Marks the first three bytes of the pieces. */
const starts = new Uint8Array(65_536)

const hashAt = (text: string, at: number) =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff

function addPiece(piece: string): void {
  pieces.add(piece)
  lengths.add(piece.length)
  starts[hashAt(piece, 0)] = 1
}

/**
 * Returns the spellings of a secret within longer bytes in base64. They depend on where it starts, and omit the
 * characters that other bytes affect.
 */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map(shift => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/={1,2}$/, '')
    return encoded.slice(shift === 0 ? 0 : shift + 1, (shift + bytes.length) % 3 === 0 ? undefined : -1)
  })
}

/**
 * Adds secrets. Those of fewer than six characters, not counting white space, `+` and `-`, are ignored.
 * @param texts of which any piece is secret
 * @param wholes of which only the whole is secret, because a part of it can be known
 */
export function addSecrets(texts: readonly string[], wholes: readonly string[] = []): void {
  for (const text of texts.filter(text => text.length >= MIN_SECRET)) {
    for (const spelling of [text, Buffer.from(text).toString('hex'), ...base64Of(text)]) {
      const { bytes } = read(asBytes(spelling))
      if (bytes.length < MIN_SECRET) continue
      secrets.add(bytes)
      const length = Math.min(bytes.length, PIECE)
      for (let at = 0; at + length <= bytes.length; at++) addPiece(bytes.slice(at, at + length))
    }
  }
  for (const text of wholes.filter(text => text.length >= MIN_SECRET)) {
    for (const spelling of [text, ...base64Of(text)]) {
      const { bytes } = read(asBytes(spelling))
      if (bytes.length >= MIN_SECRET) addPiece(bytes)
    }
  }
}

/** Returns the length of a secret's part, and of the remains of an escape, at a text's start or end. */
function lengthAtCut(bytes: string, isEnd: boolean): number {
  for (let rest = 0; rest <= MAX_ESCAPE; rest++) {
    const left = isEnd ? bytes.slice(bytes.length - rest) : bytes.slice(0, rest)
    if (!(isEnd ? ESCAPE_START : ESCAPE_END).test(left)) continue
    const text = isEnd ? bytes.slice(0, bytes.length - rest) : bytes.slice(rest)
    for (let length = PIECE - 1; length >= MIN_CUT_PIECE; length--) {
      const isPart = (secret: string) =>
        length < secret.length &&
        (isEnd ? text.endsWith(secret.slice(0, length)) : text.startsWith(secret.slice(-length)))
      if ([...secrets].some(isPart)) return rest + length
    }
  }
  return 0
}

const MARK = '[secret]'

/** What follows two slashes, which is never read again: a search for `@` from each slash would take many times as long. */
const AUTHORITY = /((?:\\?\/|%(?:25)*2f|\\u002f|&#x2f;|&#47;|&sol;){2})([^\s/]+)/gi
/** The credentials of any URL, even short ones. */
const USER_INFO = /^.+(@|%(?:25)*40|\\u0040)/i

/** The ends at which a text was truncated, where part of a secret can be. */
export interface Cut {
  start?: boolean
  end?: boolean
}

/** Removes the secrets from a text, in any encoding. */
export function scrub(text: string, { start = false, end = false }: Cut = {}): string {
  return text
    .split(MARK)
    .map((part, at, { length }) =>
      scrubPart(part, { start: start && at === 0, end: end && at === length - 1 })
    )
    .join(MARK)
    .replace(
      AUTHORITY,
      (_, slashes: string, authority: string) => slashes + authority.replace(USER_INFO, `${MARK}$1`)
    )
}

/**
 * Removes the secrets from a JSON value whose unknown fields clients get, but not from the values that the service itself
 * uses: part of a URL can be an ordinary name.
 * @param kept names of properties whose strings must stay as they are
 */
export function scrubAll<T>(value: T, kept?: readonly string[]): T
export function scrubAll(value: unknown, kept: readonly string[] = []): unknown {
  if (typeof value === 'string') return scrub(value)
  if (Array.isArray(value)) return value.map(member => scrubAll(member, kept))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [
    scrub(name),
    kept.includes(name) && typeof member === 'string' ? member : scrubAll(member, kept)
  ])
  return Object.fromEntries(members)
}

function scrubPart(text: string, cut: Cut): string {
  if (pieces.size === 0 || text === '') return text
  const original = Buffer.from(text)
  const { bytes, from, to } = read(original.toString('latin1'))
  const marks: [start: number, end: number][] = []

  function mark(at: number, length: number): void {
    const start = from[at] ?? 0
    const end = to[at + length - 1] ?? 0
    const last = marks.at(-1)
    if (last && start <= last[1]) marks.splice(-1, 1, [Math.min(last[0], start), Math.max(last[1], end)])
    else marks.push([start, end])
  }

  const startLength = cut.start ? lengthAtCut(bytes, false) : 0
  if (startLength > 0) mark(0, startLength)
  for (let at = 0; at + 2 < bytes.length; at++) {
    if (starts[hashAt(bytes, at)] === 0) continue
    for (const length of lengths) {
      if (at + length <= bytes.length && pieces.has(bytes.slice(at, at + length))) mark(at, length)
    }
  }
  const endLength = cut.end ? lengthAtCut(bytes, true) : 0
  if (endLength > 0) mark(bytes.length - endLength, endLength)
  if (marks.length === 0) return text

  let shown = 0
  const clean = marks.map(([start, end]) => {
    const before = original.toString('utf8', shown, start)
    shown = end
    return `${before}${MARK}`
  })
  return `${clean.join('')}${original.toString('utf8', shown)}`
}

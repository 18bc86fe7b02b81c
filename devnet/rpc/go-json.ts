/** JSON as a node reads it, which is written in Go: clients see its errors, which name the character and the place. */
export class GoJsonError extends Error {
  override name = 'GoJsonError'
}

const SPACE = /[ \t\r\n]*/y
const DIGITS = /\d+/y
const PLAIN_TEXT = /[^"\\\p{Cc}]*/uy
/** A node allows 10,000, which is more than JavaScript's stack holds here. */
const MAX_DEPTH = 1000
const LITERALS = ['true', 'false', 'null']

/**
 * Parses a text that is one JSON value.
 * @throws GoJsonError with Go's words
 */
export function parseGoJson(text: string): unknown {
  const end = skipSpace(text, skipValue(text, 0))
  if (end < text.length) throw invalid(text, end, 'after top-level value')
  return JSON.parse(text)
}

/** Parses the first JSON value of a text, and ignores what follows it. @throws GoJsonError */
export function parseFirstGoJson(text: string): unknown {
  return JSON.parse(text.slice(0, skipValue(text, 0)))
}

/** @returns the position after the value that begins at `start` */
function skipValue(text: string, start: number, depth = 0): number {
  const at = skipSpace(text, start)
  const first = text[at]
  if ((first === '{' || first === '[') && depth === MAX_DEPTH) throw invalid(text, at, 'exceeded max depth')
  if (first === '{') return skipObject(text, at + 1, depth + 1)
  if (first === '[') return skipArray(text, at + 1, depth + 1)
  if (first === '"') return skipText(text, at + 1)
  if (first !== undefined && /[-\d]/.test(first)) return skipNumber(text, at)
  const literal = LITERALS.find(word => word[0] === first)
  if (literal === undefined) throw invalid(text, at, 'looking for beginning of value')
  return skipLiteral(text, at, literal)
}

function skipObject(text: string, start: number, depth: number): number {
  let at = skipSpace(text, start)
  if (text[at] === '}') return at + 1
  for (;;) {
    if (text[at] !== '"') throw invalid(text, at, 'looking for beginning of object key string')
    at = skipSpace(text, skipText(text, at + 1))
    if (text[at] !== ':') throw invalid(text, at, 'after object key')
    at = skipSpace(text, skipValue(text, at + 1, depth))
    if (text[at] === '}') return at + 1
    if (text[at] !== ',') throw invalid(text, at, 'after object key:value pair')
    at = skipSpace(text, at + 1)
  }
}

function skipArray(text: string, start: number, depth: number): number {
  let at = skipSpace(text, start)
  if (text[at] === ']') return at + 1
  for (;;) {
    at = skipSpace(text, skipValue(text, at, depth))
    if (text[at] === ']') return at + 1
    if (text[at] !== ',') throw invalid(text, at, 'after array element')
    at += 1
  }
}

function skipText(text: string, start: number): number {
  let at = start
  for (;;) {
    at = skip(text, at, PLAIN_TEXT)
    if (text[at] === '"') return at + 1
    if (text[at] !== '\\') throw invalid(text, at, 'in string literal')
    const escaped = text[at + 1] ?? ''
    if (!'"\\/bfnrtu'.includes(escaped) || escaped === '')
      throw invalid(text, at + 1, 'in string escape code')
    at += 2
    if (escaped !== 'u') continue
    for (const end = at + 4; at < end; at++) {
      if (!/[\da-f]/i.test(text[at] ?? '')) throw invalid(text, at, 'in \\u hexadecimal character escape')
    }
  }
}

function skipNumber(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start
  at = text[at] === '0' ? at + 1 : skipDigits(text, at, 'in numeric literal')
  if (text[at] === '.') at = skipDigits(text, at + 1, 'after decimal point in numeric literal')
  if (text[at] !== 'e' && text[at] !== 'E') return at
  const sign = text[at + 1]
  return skipDigits(text, at + (sign === '+' || sign === '-' ? 2 : 1), 'in exponent of numeric literal')
}

function skipDigits(text: string, start: number, place: string): number {
  const end = skip(text, start, DIGITS)
  if (end === start) throw invalid(text, start, place)
  return end
}

function skipLiteral(text: string, start: number, word: string): number {
  for (const [index, letter] of [...word].entries()) {
    if (text[start + index] !== letter) {
      throw invalid(text, start + index, `in literal ${word} (expecting '${letter}')`)
    }
  }
  return start + word.length
}

function skipSpace(text: string, start: number): number {
  return skip(text, start, SPACE)
}

/** @returns the position after what a sticky pattern matches at `start` */
function skip(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

function invalid(text: string, at: number, place: string): GoJsonError {
  const character = text.slice(at)[Symbol.iterator]().next().value
  if (character === undefined) return new GoJsonError('unexpected end of JSON input')
  const quoted =
    character === "'" ? "'\\''" : `'${JSON.stringify(character).slice(1, -1).replace('\\"', '"')}'`
  return new GoJsonError(`invalid character ${quoted} ${place}`)
}

/** The name that Go's errors give to the type of a JSON value. */
export function goKind(value: unknown): 'array' | 'bool' | 'null' | 'number' | 'object' | 'string' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'number'
    case 'boolean':
      return 'bool'
    default:
      return 'object'
  }
}

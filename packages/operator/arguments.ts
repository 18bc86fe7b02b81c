import { parseArgs } from 'node:util'
import { messageOf } from '../../services/errors/shown.ts'
import { UsageError } from './errors.ts'

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>

/**
 * Parses the arguments of a command.
 * @param name name of the required positional argument; omit if the command has none
 * @throws UsageError
 */
export function readArguments<const T extends Options>(argv: string[], options: T, name?: string) {
  const { values, positionals } = parse(argv, options)
  const [first, ...more] = positionals
  const [extra] = name === undefined ? positionals : more
  if (name !== undefined && first === undefined) throw new UsageError(`${name} is missing`)
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`)
  return { values, argument: first?.trim() ?? '' }
}

function parse<const T extends Options>(argv: string[], options: T) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    const text = messageOf(error)
    throw new UsageError(text.split('. To specify', 1).join())
  }
}

/**
 * Returns a required option's value if it matches a pattern.
 * @param expected the format, for the error message
 * @throws UsageError
 */
export function matching(name: string, value: string | undefined, form: RegExp, expected: string): string {
  if (value === undefined) throw new UsageError(`${name} is required`)
  if (form.test(value)) return value
  throw new UsageError(`${name} ${value}: expected ${expected}`)
}

/** Parses a whole number. @throws UsageError */
export function wholeNumber(name: string, value: string | undefined, least = 0): number {
  const expected = least > 0 ? `a whole number, at least ${least}` : 'a whole number'
  const number = Number(matching(name, value, /^\d{1,15}$/, expected))
  if (number >= least) return number
  throw new UsageError(`${name} ${value}: expected ${expected}`)
}

/** Parses an http(s) URL. The error omits the text, because it might contain a key. @throws UsageError */
export function httpUrl(name: string, text: string): URL {
  if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text)
  throw new UsageError(`${name}: expected an http(s) URL`)
}

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration such as `30s`, `10m`, `2h` or `7d`. @returns milliseconds @throws UsageError */
export function duration(name: string, value: string): number {
  const text = matching(name, value, /^\d{1,9}[smhd]$/, 'a duration such as 30s, 10m, 2h or 7d')
  return Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0)
}

/** Returns the argument if it is one of the allowed words. @throws UsageError */
export function oneOf<const T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find(word => word === text)
  if (found !== undefined) return found
  throw new UsageError(`${name} ${text}: expected one of ${words.join(', ')}`)
}

import { parseArgs } from 'node:util'
import { UsageError } from './errors.ts'

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>

/**
 * Parses the arguments of a command.
 * @param names of the positional arguments, in order; all are required
 * @throws UsageError
 */
export function readArguments<const T extends Options>(
  argv: string[],
  options: T,
  names: readonly string[] = []
) {
  const parsed = parse(argv, options)
  for (const [index, name] of names.entries()) {
    if (parsed.positionals[index] === undefined) throw new UsageError(`${name} is missing`)
  }
  const extra = parsed.positionals[names.length]
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`)
  return parsed
}

function parse<const T extends Options>(argv: string[], options: T) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true })
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new UsageError(text.split('. To specify', 1).join())
  }
}

/** A whole number. @throws UsageError */
export function wholeNumber(name: string, text: string, least = 0): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least) return value
  throw new UsageError(`${name} ${text}: expected a whole number${least > 0 ? ` from ${least}` : ''}`)
}

const UNITS_MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration such as `30s`, `10m`, `2h` or `7d`, in milliseconds. @throws UsageError */
export function duration(name: string, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const unitMs = UNITS_MS[unit]
  if (unitMs !== undefined) return Number(digits) * unitMs
  throw new UsageError(`${name} ${text}: expected a duration such as 30s, 10m, 2h or 7d`)
}

/** One of several words. @throws UsageError */
export function oneOf<const T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find(word => word === text)
  if (found !== undefined) return found
  throw new UsageError(`${name} ${text}: expected one of ${words.join(', ')}`)
}

/** An amount in base units. @throws UsageError */
export function baseUnits(name: string, text: string): bigint {
  if (/^\d{1,30}$/.test(text)) return BigInt(text)
  throw new UsageError(`${name} ${text}: expected a whole number of base units`)
}

/** The URL of a node, where one is given. @throws UsageError */
export function nodeUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (/^https?:\/\//.test(text) && URL.canParse(text))) return text
  // The text may hold a key.
  throw new UsageError(`${name}: expected an http(s) URL`)
}

/** The value of an option that must be given. @throws UsageError */
export function required(name: string, value: string | undefined): string {
  if (value !== undefined) return value
  throw new UsageError(`${name} is required`)
}

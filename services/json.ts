/** Parses JSON. @returns undefined if the string is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1))
}

/** An unpaired surrogate. UTF-8 replaces it with another character, so that different strings can become equal. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Whether all strings and names in a JSON value are well-formed Unicode. Recursive: check the depth first. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !LONE_SURROGATE.test(value)
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormed)
}

const pointerOf = (names: readonly string[]) =>
  names.map(name => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

/** Strings, numbers and structural characters of JSON. Outside strings, digits occur only in numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],]/g

interface Open {
  /** Names seen so far, if this is an object. */
  names: Set<string> | undefined
  /** Name or index of the current value. */
  at: string
  isBeforeName: boolean
}

/**
 * Finds data that JSON.parse or UTF-8 would alter: a number that JSON.parse rounds, a repeated name, of which
 * JSON.parse keeps only one value, or an unpaired surrogate.
 * @param text valid JSON
 * @returns `place` is a JSON pointer without the first slash; it points to the object if a name is malformed
 */
export function findLoss(text: string): { place: string; problem: string } | undefined {
  const open: Open[] = []
  const loss = (problem: string, within = open) => ({ place: pointerOf(within.map(({ at }) => at)), problem })
  for (const [token] of text.matchAll(TOKENS)) {
    const inner = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '', isBeforeName: true })
    else if (token === '[') open.push({ names: undefined, at: '0', isBeforeName: false })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner) {
      if (inner.names) inner.isBeforeName = true
      else inner.at = String(Number(inner.at) + 1)
    } else if (token.startsWith('"')) {
      const string: string = JSON.parse(token)
      const named = inner?.isBeforeName ? inner : undefined
      if (LONE_SURROGATE.test(string)) return loss(HALF_PAIR, named ? open.slice(0, -1) : open)
      if (!named) continue
      named.isBeforeName = false
      named.at = string
      if (named.names?.has(string)) return loss('must appear only once')
      named.names?.add(string)
    } else if (exactly(token) !== exactly(String(Number(token))))
      return loss(`must contain ${token.slice(0, 40)} as a string, because it would be rounded as a number`)
  }
  return undefined
}

const HALF_PAIR = 'must be well-formed Unicode, without unpaired surrogates'

/** Normalizes a number to its significant digits and the power of ten of the last digit. */
function exactly(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  const digits = [...integer.replace('-', ''), ...fraction]
  const first = digits.findIndex(digit => digit !== '0')
  if (first === -1) return '0'
  const end = digits.findLastIndex(digit => digit !== '0') + 1
  const power = Number(exponent) - fraction.length + digits.length - end
  return `${number.startsWith('-') ? '-' : ''}${digits.slice(first, end).join('')}e${power}`
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns the parsed value; undefined if the string is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a JSON value is nested deeper than `levels`. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1))
}

/** An unpaired surrogate. UTF-8 replaces it with another character, so different strings may become equal. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** The error message for a place found by `findLoneSurrogate`. */
export const HALF_PAIR = 'must be well-formed Unicode, without half of a surrogate pair'

/** A value within a JSON value. */
interface Place {
  value: unknown
  name: string
  parent: Place | undefined
}

/**
 * Finds a string that is not well-formed Unicode among the values and names of a JSON value, at any depth.
 * @returns its place as a JSON pointer without the first slash, or that of the object if a name is malformed;
 *   undefined if there is none
 */
export function findLoneSurrogate(json: unknown): string | undefined {
  const left: Place[] = [{ value: json, name: '', parent: undefined }]
  for (let place = left.pop(); place; place = left.pop()) {
    const { value } = place
    if (typeof value === 'string' && LONE_SURROGATE.test(value)) return pointerTo(place)
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (LONE_SURROGATE.test(name)) return pointerTo(place)
      left.push({ value: member, name, parent: place })
    }
  }
  return undefined
}

function pointerTo(place: Place): string {
  const names: string[] = []
  for (let { name, parent } = place; parent; { name, parent } = parent) {
    names.unshift(name)
  }
  return pointerOf(names)
}

const pointerOf = (names: readonly string[]) =>
  names.map(name => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

/** The strings, numbers and structural characters of JSON. Outside of strings, digits occur only in numbers. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[{}[\],]/g

/** An object or array that is being read. */
interface Open {
  /** Names seen so far, for an object. */
  names: Set<string> | undefined
  /** Name or index of the current value. */
  at: string
  isBeforeName: boolean
}

/**
 * Finds data that JSON.parse silently changes: a number that it rounds, or a repeated name in an object, of which it
 * keeps one value.
 * @param text JSON
 * @returns its place as a JSON pointer without the first slash; undefined if nothing is lost
 */
export function findLoss(text: string): { place: string; problem: string } | undefined {
  const open: Open[] = []
  const loss = (problem: string) => ({ place: pointerOf(open.map(({ at }) => at)), problem })
  for (const [token] of text.matchAll(TOKENS)) {
    const inner = open.at(-1)
    if (token === '{') open.push({ names: new Set(), at: '', isBeforeName: true })
    else if (token === '[') open.push({ names: undefined, at: '0', isBeforeName: false })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && inner) {
      if (inner.names) inner.isBeforeName = true
      else inner.at = String(Number(inner.at) + 1)
    } else if (token.startsWith('"')) {
      if (!inner?.names || !inner.isBeforeName) continue
      inner.isBeforeName = false
      inner.at = JSON.parse(token)
      if (inner.names.has(inner.at)) return loss('must be given once')
      inner.names.add(inner.at)
    } else if (exactly(token) !== exactly(String(Number(token))))
      return loss(`must have ${token.slice(0, 40)} as a string: it would be rounded as a number`)
  }
  return undefined
}

/** Normalizes a number: its significant digits and the power of ten of the last one. */
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

/** True for a JSON object, not for an array. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

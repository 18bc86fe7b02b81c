/** @returns the value of a JSON text; undefined for a text that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a JSON value is nested deeper than so many levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(member => isDeeper(member, levels - 1))
}

/** A surrogate that is not one of a pair. Written as UTF-8 it becomes another character, so two texts become one. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** What is wrong where `findLoneSurrogate` finds one, for a message. */
export const HALF_PAIR = 'must be well-formed Unicode, without half of a surrogate pair'

/** A value within a JSON value. */
interface Place {
  value: unknown
  name: string
  parent: Place | undefined
}

/**
 * Finds a text that is not well-formed Unicode, among the values and the names of a JSON value, however deep it is.
 * @returns its place as a JSON pointer without the first slash, for a name that of its object; undefined without one
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
    names.unshift(name.replaceAll('~', '~0').replaceAll('/', '~1'))
  }
  return names.join('/')
}

/** The strings and the numbers of a JSON text; outside of strings, digits are in numbers alone. */
const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g

/**
 * Finds a number that JSON.parse rounds: written again, it would be another one.
 * @param text JSON
 * @returns the number as the text has it; undefined when all are exact
 */
export function findRoundedNumber(text: string): string | undefined {
  const tokens = text.match(STRINGS_AND_NUMBERS) ?? []
  return tokens.find(token => !token.startsWith('"') && exactly(token) !== exactly(String(Number(token))))
}

/** One spelling for all texts of a number: its significant digits and the power of ten of the last one. */
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

/** True for a JSON object; an array is none. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

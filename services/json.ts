/** @returns the value of a JSON text; undefined for a text that is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A surrogate that is not one of a pair. Written as UTF-8 it becomes another character, so two texts become one. */
const LONE_SURROGATE = /\p{Surrogate}/u

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

/** True for a JSON object; an array is none. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

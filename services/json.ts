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
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return levels === 0 || members.some(member => isDeeper(member, levels - 1))
}

/** The strings of a JSON text. Only a property name is followed by a colon. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Returns whether an object in a JSON text has a property name twice: programs differ on which of the two counts.
 * Recursive: check the depth of a stranger's text first. False if the string is not JSON.
 */
export function repeatsName(text: string): boolean {
  // JSON.parse keeps one property of each name, and passes the whole value as a property of one more object.
  let kept = -1
  try {
    JSON.parse(text, function (this: unknown, _name, value) {
      if (!Array.isArray(this)) kept += 1
      return value
    })
  } catch {
    return false
  }
  let written = 0
  for (const [, colon] of text.matchAll(STRINGS)) if (colon !== undefined) written += 1
  return written > kept
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

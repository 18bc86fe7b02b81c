/**
 * Compares what a document shows with what the service answered: texts and truth values are equal, a number stands for any
 * number, and `…` in a text for any characters. A list has as many entries as shown; an object may have more members.
 * @returns the paths of what differs, with what was shown and what came
 */
export function differences(shown: unknown, came: unknown, path = ''): string[] {
  if (isObject(shown) && isObject(came) && Array.isArray(shown) === Array.isArray(came)) {
    const names = Object.keys(shown)
    const length =
      Array.isArray(came) && came.length !== names.length ? [`${path}: ${came.length} entries`] : []
    return [...length, ...names.flatMap(name => differences(shown[name], came[name], `${path}/${name}`))]
  }
  const same =
    typeof shown === 'string' && typeof came === 'string'
      ? pattern(shown).test(came)
      : shown === came || (typeof shown === 'number' && typeof came === 'number')
  return same ? [] : [`${path}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(came)} came`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The texts that a shown text stands for. */
function pattern(shown: string): RegExp {
  const parts = shown.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

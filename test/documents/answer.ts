/** Numbers that differ on every run. */
const VARYING = /\/(height|deadline|permit2\/v)$/

/**
 * Compares a response shown in a document with the real response. Values must be equal, but `…` in a string matches any
 * characters, and a number that differs on every run any number. Arrays must have the same length. The real object may
 * have additional members.
 * @returns the path of each difference, with the expected and the received value
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
      : shown === came || (VARYING.test(path) && typeof shown === 'number' && typeof came === 'number')
  return same ? [] : [`${path}: ${JSON.stringify(shown)} is shown, received ${JSON.stringify(came)}`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pattern(shown: string): RegExp {
  const parts = shown.split('…').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}

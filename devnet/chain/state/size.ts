const sizes = new WeakMap<object, number>()

/** A value of state as text: JSON with bigint as digits. */
export function serialize(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)) ?? ''
}

/** How many bytes a value of state counts for gas. Values are immutable, so that each is measured once. */
export function sizeOf(value: unknown): number {
  if (value === undefined) return 0
  if (typeof value === 'bigint') return value.toString().length
  if (typeof value !== 'object' || value === null) return serialize(value).length
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = serialize(value).length
  sizes.set(value, size)
  return size
}

/**
 * Reads a non-negative integer as the chain writes it: digits alone, at most 2^53 − 1.
 * @returns undefined for anything else
 */
export function safeInteger(value: string | bigint | undefined): number | undefined {
  if (value === undefined || !/^\d+$/.test(String(value))) return undefined
  const integer = Number(value)
  return Number.isSafeInteger(integer) ? integer : undefined
}

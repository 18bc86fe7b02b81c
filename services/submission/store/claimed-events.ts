import type { DamagedEvent, EventRows } from './rows/event-rows.ts'
import type { DamageObserver } from './rows/read-each.ts'

/** What one transaction has claimed. */
export interface Claimed<T> extends EventRows<T> {
  /** The part of `damaged` that was not set aside before. */
  setAside: readonly DamagedEvent[]
}

/**
 * Claims until there are so many that can be read, or none is left. Damaged ones are out of the way then, however many there are.
 * @param claim one transaction, which claims at most so many
 * @param onDamage is told of each damaged one once, when it is set aside (interface 23.12)
 */
export async function claimReadable<T>(
  limit: number,
  claim: (limit: number) => Promise<Claimed<T>>,
  onDamage: DamageObserver
): Promise<T[]> {
  const { readable, damaged, setAside } = await claim(limit)
  for (const { damage } of setAside) onDamage(damage)
  if (damaged.length === 0) return readable
  return [...readable, ...(await claimReadable(damaged.length, claim, onDamage))]
}

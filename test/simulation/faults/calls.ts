import { createRandom } from '../random.ts'

/** Faults of single calls, with their minimum and maximum probability. Each schedule draws one from this range. */
const RATES = {
  crash: [0.002, 0.06], // The process dies before or after any call to the store, the chain or the wallet.
  'lost-answer': [0.02, 0.4], // A call or its response is lost.
  'late-request': [0.05, 0.4], // A broadcast arrives long after the engine has timed out.
  duplicate: [0.05, 0.5], // A broadcast arrives twice, the second time late.
  'silent-drop': [0.05, 0.4], // A node responds with code 0 and loses the transaction.
  'stale-cache': [0.05, 0.4], // A node loses a transaction but keeps its hash in the cache.
  'absurd-gas': [0.05, 0.5], // At most one in three simulations reports far more gas than a block has.
  'store-fails': [0.05, 0.4], // A write to the store fails.
  'store-uncertain': [0.05, 0.3], // The connection breaks during a commit, which may or may not succeed.
  'lock-lost': [0.005, 0.1], // The leader loses its lock in a call, and is notified immediately, late or never.
  'notification-lost': [0.1, 1] // A replica misses a notification from the store.
} as const

export type CallFault = keyof typeof RATES

export const CALL_FAULTS = Object.keys(RATES).filter((fault): fault is CallFault => fault in RATES)

export type Dice = ReturnType<typeof createDice>

export function createDice(seed: number, faults: ReadonlySet<string>) {
  const dice = new Map<CallFault, () => boolean>()
  for (const fault of CALL_FAULTS.filter(fault => faults.has(fault))) {
    const random = createRandom(seed, fault)
    const [least, most] = RATES[fault]
    const rate = least + random.next() * (most - least)
    dice.set(fault, () => random.chance(rate))
  }
  return {
    strikes: (fault: CallFault) => dice.get(fault)?.() ?? false,
    rest: () => dice.clear()
  }
}

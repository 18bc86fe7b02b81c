import { createRandom, type Random } from '../random.ts'

/** Faults of single calls, with their minimum and maximum probability. Each schedule draws one from this range. */
const RATES = {
  // The process dies before or after any call to the store, the chain or the wallet.
  crash: [0.002, 0.06],
  // A call or its response is lost.
  'lost-answer': [0.02, 0.4],
  // A broadcast arrives long after the engine has timed out.
  'late-request': [0.05, 0.4],
  // A broadcast arrives twice, the second time late.
  duplicate: [0.05, 0.5],
  // A node responds with code 0 and loses the transaction.
  'silent-drop': [0.05, 0.4],
  // A node loses a transaction but keeps its hash in the cache.
  'stale-cache': [0.05, 0.4],
  // At most one in three simulations reports far more gas than a block has.
  'absurd-gas': [0.05, 0.5],
  // A write to the store fails.
  'store-fails': [0.05, 0.4],
  // The connection breaks during a commit, which may or may not succeed.
  'store-uncertain': [0.05, 0.3],
  // The leader loses its lock in a call, and is notified immediately, late or never.
  'lock-lost': [0.005, 0.1],
  // A replica misses a notification from the store.
  'notification-lost': [0.1, 1]
} as const

export type CallFault = keyof typeof RATES

const isCallFault = (fault: string): fault is CallFault => fault in RATES

export const CALL_FAULTS = Object.keys(RATES).filter(isCallFault)

export type Dice = ReturnType<typeof createDice>

export function createDice(seed: number, faults: ReadonlySet<string>) {
  const dice = new Map<CallFault, { random: Random; rate: number }>()
  for (const fault of CALL_FAULTS.filter(fault => faults.has(fault))) {
    const random = createRandom(seed, fault)
    const [least, most] = RATES[fault]
    dice.set(fault, { random, rate: least + random.next() * (most - least) })
  }
  return {
    strikes(fault: CallFault): boolean {
      const die = dice.get(fault)
      return die?.random.chance(die.rate) ?? false
    },
    rest: () => dice.clear()
  }
}

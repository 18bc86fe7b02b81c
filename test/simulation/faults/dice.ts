import { createRandom, type Random } from '../random.ts'
import { CALL_FAULTS, type CallFault, type Fault } from './names.ts'

export type Dice = ReturnType<typeof createDice>

/** Minimum and maximum probability of each fault. Each schedule draws a probability from this range. */
const RATES: Record<CallFault, [number, number]> = {
  crash: [0.002, 0.06],
  'lost-answer': [0.02, 0.4],
  'late-request': [0.05, 0.4],
  duplicate: [0.05, 0.5],
  'silent-drop': [0.05, 0.4],
  'stale-cache': [0.05, 0.4],
  'absurd-gas': [0.05, 0.5],
  'store-fails': [0.05, 0.4],
  'store-uncertain': [0.05, 0.3],
  'lock-lost': [0.005, 0.1],
  'notification-lost': [0.1, 1]
}

export function createDice(seed: number, faults: ReadonlySet<Fault>) {
  const dice = new Map<CallFault, { random: Random; rate: number }>()
  for (const fault of Object.keys(CALL_FAULTS) as CallFault[]) {
    if (!faults.has(fault)) continue
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

import type { Schedule } from './simulate-range.ts'

/**
 * Schedules that once failed. Every run of many schedules plays them too, so that no mistake returns. `only` names all
 * of a schedule's faults, because a fault that is added later would change it.
 */
export const FAILED_SCHEDULES: readonly Schedule[] = [
  // Two nodes at different blocks reported the same sequence of the wallet, one of them by a lie.
  {
    seed: 30_328,
    only: [
      'crash',
      'node-lags',
      'node-isolated',
      'slow-simulation',
      'too-little-gas',
      'account-lies',
      'foreign-in-block',
      'misreported-in-block'
    ]
  }
]

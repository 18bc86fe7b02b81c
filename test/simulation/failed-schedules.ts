import type { Schedule } from './simulate-range.ts'

/**
 * Schedules that once failed. Every run of many schedules plays them too, so that no mistake returns. `only` names all
 * of a schedule's faults, because a fault that is added later would change it.
 */
export const FAILED_SCHEDULES: readonly Schedule[] = [
  // Two nodes refused the gas limit of a message three times before it was tried with the highest one that they accept.
  {
    seed: 40_361,
    only: ['notification-lost', 'results-late', 'too-little-gas', 'fee-creeps', 'block-limit-lies']
  },
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
  },
  // A message that needs more gas than a node had once accepted was signed with less, until it was rejected for that.
  { seed: 6031, only: ['account-lies', 'gas-ceiling', 'foreign-in-block'] },
  // A message that needs more gas than a block has waited too long for a block's verdict while only one node responded.
  {
    seed: 248_586_772,
    only: [
      'crash',
      'late-request',
      'lock-lost',
      'node-frozen',
      'nonsense-status',
      'node-restart',
      'eviction',
      'too-little-gas',
      'out-of-gas-lies',
      'module-paused',
      'fee-raised',
      'block-limit-lies',
      'foreign-waiting',
      'unordered-in-block',
      'misreported-in-block',
      'deaf',
      'store-down'
    ]
  },
  {
    seed: 248_587_570,
    only: [
      'lost-answer',
      'duplicate',
      'silent-drop',
      'absurd-gas',
      'store-fails',
      'restart',
      'cut-off',
      'node-down',
      'node-lags',
      'node-frozen',
      'node-pruned',
      'nonsense-status',
      'eviction',
      'fee-creeps',
      'fee-absurd',
      'huge-gas-by-index',
      'no-funds',
      'not-whitelisted',
      'failed-early-in-block',
      'blocks-halt',
      'store-down'
    ]
  },
  // The only node understated the gas until it was the usual gas, and its right figures were cut to twice that.
  {
    seed: 712_012,
    only: [
      'duplicate',
      'store-fails',
      'node-pruned',
      'no-simulation',
      'too-little-gas',
      'fee-raised',
      'store-down'
    ]
  }
]

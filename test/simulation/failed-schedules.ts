import { FAULTS } from './plan.ts'
import type { Schedule } from './simulate-range.ts'

const schedule = (seed: number, faults: string): Schedule => {
  const names = faults.split(/\s+/)
  const only = FAULTS.filter(fault => names.includes(fault))
  if (only.length !== names.length) throw new Error(`a fault of seed ${seed} does not exist`)
  return { seed, only }
}

/**
 * Schedules that once failed. Every run of many schedules plays them too, so that no mistake returns. Most name all
 * of their faults, because a fault that is added later would change them.
 */
export const FAILED_SCHEDULES: readonly Schedule[] = [
  // Two nodes refused the gas limit of a message three times before it was tried with the highest one that they accept.
  schedule(40_361, 'notification-lost results-late too-little-gas fee-creeps block-limit-lies'),
  // Two nodes at different blocks reported the same sequence of the wallet, one of them by a lie.
  schedule(
    30_328,
    `crash node-lags node-isolated slow-simulation too-little-gas account-lies foreign-in-block
    misreported-in-block`
  ),
  // A message that needs more gas than a node had once accepted was signed with less, until it was rejected for that.
  schedule(6031, 'account-lies gas-ceiling foreign-in-block'),
  // A message that needs more gas than a block has waited too long for a block's verdict while only one node responded.
  schedule(
    248_586_772,
    `crash late-request lock-lost node-frozen nonsense-status node-restart eviction too-little-gas out-of-gas-lies
    module-paused fee-raised block-limit-lies foreign-waiting unordered-in-block
    misreported-in-block deaf store-down`
  ),
  schedule(
    248_587_570,
    `lost-answer duplicate silent-drop absurd-gas store-fails restart cut-off node-down node-lags node-frozen
    node-pruned nonsense-status eviction fee-creeps fee-absurd huge-gas-by-index no-funds not-whitelisted
    failed-early-in-block blocks-halt store-down`
  ),
  // The only node understated the gas until it was the usual gas, and its right figures were cut to twice that.
  schedule(712_012, 'duplicate store-fails node-pruned no-simulation too-little-gas fee-raised store-down'),
  // The store failed between the first write of the account and the reads after it.
  { seed: 801_852_441, only: FAULTS },
  // A fee that was rounded up for a small gas limit was scaled up to a large gas limit.
  { seed: 413_798_296, only: FAULTS },
  // A frozen node's mempool had a transaction of the wallet, while the other node simulated slowly.
  { seed: 20_326, only: FAULTS },
  // A frozen node refused the control, and the size of the batches that a slow node simulates in time was forgotten.
  { seed: 92_000_296, only: FAULTS },
  // A module was unpaused and paused again between two checks of the control.
  { seed: 95_002_443, only: FAULTS },
  { seed: 97_256_605, only: FAULTS },
  // New bytes for a transaction in a cache waited 96 sends, because its fee had risen five times.
  { seed: 97_001_749, only: FAULTS },
  // A message that one of two nodes refused was signed with more gas than a block has, again and again.
  { seed: 97_006_774, only: FAULTS },
  // Two of three nodes were on a fork and ahead of the third, which was blamed for not fitting their next header.
  { seed: 100_018_686, only: FAULTS }
]

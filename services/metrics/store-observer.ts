import type { Instruments } from './instruments.ts'
import type { StoreObserver } from './observed-store.ts'

/** Counts what happens in the store. */
export function createStoreObserver(instruments: Instruments): StoreObserver {
  const { storeOperations, taken, settled, batches, signedAgain, slots, foreign } = instruments
  // A rate needs a series that begins before the first event.
  for (const status of ['committed', 'rejected']) settled.zero({ status })
  const outcomes = {
    created: taken.labels({ outcome: 'created' }),
    joined: taken.labels({ outcome: 'joined' }),
    conflict: taken.labels({ outcome: 'conflict' }),
    damaged: taken.labels({ outcome: 'damaged' })
  }

  return {
    operation(operation) {
      const results = {
        done: storeOperations.labels({ operation, result: 'done' }),
        failed: storeOperations.labels({ operation, result: 'failed' })
      }
      return (result, seconds) => results[result].observe(seconds)
    },
    taken: outcome => outcomes[outcome].inc(),
    opened: messages => batches.observe(messages),
    signedAgain: () => signedAgain.inc(),
    resolved: seconds => slots.observe(seconds),
    foreign: () => foreign.inc(),
    settled({ status, createdAt, updatedAt }) {
      settled.observe({ status }, Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt)) / 1000)
    }
  }
}

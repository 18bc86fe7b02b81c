import type { Term } from '../../../services/submission/store/engine-store.ts'
import type { SubmissionStore } from '../../../services/submission/store/types.ts'
import type { Dice } from '../faults/dice.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../time/virtual-clock.ts'
import type { Process } from './process.ts'

/** The error of a disk that is full or gone. */
export class StoreFault extends Error {
  override name = 'StoreFault'
}

export interface StoreTroubles {
  isDown: boolean
}

/** A store as a process uses it: calls take time and may fail, and end with the process. */
export function guardStore(options: {
  store: SubmissionStore
  process: Process
  troubles: StoreTroubles
  dice: Dice
  clock: VirtualClock
  random: Random
  /** The longest that a call takes, in milliseconds. */
  storeMs: number
  /** Runs after every change, with the change's name. */
  onChange: (name: string) => void
}): SubmissionStore {
  const { store, process, troubles, dice, clock, random, storeMs, onChange } = options

  async function wait(): Promise<void> {
    if (storeMs > 0) await clock.delay(random.int(0, storeMs))
  }

  function read<T>(name: string, work: () => Promise<T>): Promise<T> {
    return process.call(`store.${name}`, async () => {
      await wait()
      if (troubles.isDown) throw new StoreFault('the disk cannot be read')
      return work()
    })
  }

  function write<T>(name: string, work: () => Promise<T>): Promise<T> {
    return process.call(`store.${name}`, async () => {
      await wait()
      // The write of a dead process does not happen.
      if (!process.isAlive) return new Promise<T>(() => {})
      if (troubles.isDown || dice.strikes('store-fails')) throw new StoreFault('the disk is full')
      const result = await work()
      onChange(name)
      await wait()
      return result
    })
  }

  function guardTerm(term: Term): Term {
    return {
      ...term,
      store: {
        putSigner: state => write('putSigner', () => term.store.putSigner(state)),
        setProbePassed: () => write('setProbePassed', () => term.store.setProbePassed()),
        queued: limit => read('queued', () => term.store.queued(limit)),
        openVariants: () => read('openVariants', () => term.store.openVariants()),
        openSlot: variant => write('openSlot', () => term.store.openSlot(variant)),
        addVariant: variant => write('addVariant', () => term.store.addVariant(variant)),
        reject: (submissionId, error) => write('reject', () => term.store.reject(submissionId, error)),
        applyBlocks: blocks => write('applyBlocks', () => term.store.applyBlocks(blocks))
      }
    }
  }

  return {
    take: requests => write('take', () => store.take(requests)),
    join: request => read('join', () => store.join(request)),
    find: submissionId => read('find', () => store.find(submissionId)),
    findSettled: submissionIds => read('findSettled', () => store.findSettled(submissionIds)),
    countUnsettled: () => read('countUnsettled', () => store.countUnsettled()),
    oldestUnsettled: () => read('oldestUnsettled', () => store.oldestUnsettled()),
    signer: () => read('signer', () => store.signer()),
    forget: (before, limit) => write('forget', () => store.forget(before, limit)),
    onNews: listener => store.onNews(news => process.isAlive && listener(news)),
    async lead() {
      const term = await read('lead', () => store.lead())
      return term && guardTerm(term)
    },
    close: () => store.close()
  }
}

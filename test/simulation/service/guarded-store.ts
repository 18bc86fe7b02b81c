import type { SubmissionStore, Term } from '../../../services/submission/contract.ts'
import { StoreUncertainError } from '../../../services/submission/errors.ts'
import type { ReplicaStore } from '../store/memory-database.ts'
import type { Process } from './process.ts'
import type { HostContext } from './replica.ts'

/** Maximum delay before a process is notified that it has lost its lock. Some processes are never notified. */
const LATEST_NOTICE_MS = 4000

export class StoreFault extends Error {
  override name = 'StoreFault'
}

export interface GuardedStore extends SubmissionStore {
  /** Releases the current term's lock. The process is notified immediately, late or never. */
  loseLock(): void
}

const READ =
  /^(join|find|findSettled|countUnsettled|oldestUnsettled|feesPaidToday|report|walletState|queued|openSignedTxs|notices|comparable|verification)$/

/** Writes of what the oracle does not look at. */
const UNSEEN = ['lead', 'putReport', 'putNotices', 'putVerification']

/** Wraps a process's store: calls take time, can fail, and never return once the process is dead. */
export function guardStore(store: ReplicaStore, context: HostContext & { process: Process }): GuardedStore {
  const { process, dice, clock, random, onStoreChange } = context
  const { storeMs } = context.plan
  /** Aborted when the current term is lost; undefined while this process does not lead. */
  let present: AbortController | undefined

  async function wait(): Promise<void> {
    if (storeMs > 0) await clock.delay(random.int(0, storeMs))
  }

  function read<T>(name: string, work: () => Promise<T>): Promise<T> {
    return process.call(`store.${name}`, async () => {
      await wait()
      if (context.store.isDown) throw new StoreFault('the disk is not readable')
      return clock.hold(work())
    })
  }

  function change<T>(name: string, work: () => Promise<T>): Promise<T> {
    return process.call(`store.${name}`, async () => {
      await wait()
      if (!process.isAlive) return new Promise<T>(() => {})
      if (context.store.isDown || dice.strikes('store-fails')) throw new StoreFault('the disk is full')
      const result = await clock.hold(UNSEEN.includes(name) ? work() : work().finally(onStoreChange))
      await wait()
      return result
    })
  }

  /** Makes a change whose response can be lost. If so, the change might or might not have been made. */
  const write = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    change(name, async () => {
      if (!dice.strikes('store-uncertain')) return work()
      if (random.chance(0.5)) await work()
      throw new StoreUncertainError('the connection to the store was lost during a commit')
    })

  function guarded<Store extends object>(methods: Store): Store {
    const all = Object.entries(methods).map(([name, method]) => [
      name,
      (...request: unknown[]) => (READ.test(name) ? read : write)(name, () => method(...request))
    ])
    return Object.fromEntries(all)
  }

  function loseLock(): void {
    const lost = present
    if (!lost) return
    present = undefined
    void clock.hold(store.loseLock())
    const notice = random.pick(['immediate', 'late', 'never'])
    if (notice === 'never') return
    const ms = notice === 'immediate' ? 0 : random.int(0, LATEST_NOTICE_MS)
    clock.after(ms, () => void process.call('lock', async () => lost.abort()))
  }

  function guardTerm(term: Term): Term {
    const lost = new AbortController()
    present = lost
    // Node keeps a signal of `AbortSignal.any` until it is aborted, which a killed process never is.
    if (term.ended.aborted) lost.abort()
    term.ended.addEventListener('abort', () => lost.abort(), { once: true })
    return {
      ...term,
      ended: lost.signal,
      stepDown: () =>
        process.call('store.stepDown', async () => {
          if (present === lost) present = undefined
          await clock.hold(term.stepDown())
        }),
      store: guarded(term.store)
    }
  }

  process.onCall(() => {
    if (present && dice.strikes('lock-lost')) loseLock()
  })

  return {
    ...guarded(store),
    list: store.list,
    now: store.now,
    onNotification: listener =>
      store.onNotification(notification => {
        if (!process.isAlive || dice.strikes('notification-lost')) return
        const notify = async () => listener(notification)
        clock.after(random.int(0, storeMs), () => void process.call('notification', notify))
      }),
    async lead() {
      const term = await change('lead', () => store.lead())
      return term && guardTerm(term)
    },
    close: () => clock.hold(store.close()),
    loseLock
  }
}

import { Worker } from 'node:worker_threads'
import { systemClock } from '../../clock.ts'
import { ServiceError } from '../../errors/index.ts'

export interface RecoveryJob {
  id: number
  digest: Uint8Array
  /** r‖s. */
  compact: Uint8Array
  /** 0 or 1. */
  recoveryBit: number
}

/** The signer of a digest. */
export interface Recovered {
  /** The last 20 bytes of the Keccak-256 of the public key, in lower-case hex. */
  address: string
  /** Whether s is in the upper half, so that the signature is a changed copy of another: wallets make none. */
  isHighS: boolean
}

interface RecoveryAnswer {
  id: number
  recovered: Recovered | undefined
}

interface Pending {
  since: number
  resolve(recovered: Recovered | undefined): void
  reject(error: Error): void
}

/** How long jobs may wait before new ones are refused, in milliseconds. */
const PATIENCE_MS = 1000

/**
 * Recovers secp256k1 signers on a thread of its own: each takes about two milliseconds, which nobody else waits for. The thread
 * starts with the first job. After a failure, the next job starts another.
 */
export function createRecovery() {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL(import.meta.resolve('#recovery-worker')))
    started.on('message', ({ id, recovered }: RecoveryAnswer) => {
      pending.get(id)?.resolve(recovered)
      pending.delete(id)
      if (pending.size === 0) started.unref()
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the thread that recovers signers has ended')))
    return started
  }

  function fail(error: Error): void {
    worker = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    /**
     * @returns undefined for a signature that no key made
     * @throws ServiceError OVERLOADED while the oldest job has waited for more than a second (interface 21.8)
     */
    async recover(job: Omit<RecoveryJob, 'id'>): Promise<Recovered | undefined> {
      const [oldest] = pending.values()
      const now = systemClock.elapsed()
      if (oldest && now - oldest.since > PATIENCE_MS) throw new ServiceError('OVERLOADED')
      const thread = worker ?? start()
      worker = thread
      thread.ref()
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        pending.set(id, { since: now, resolve, reject })
        thread.postMessage({ ...job, id })
      })
    },
    async close(): Promise<void> {
      await worker?.terminate()
    }
  }
}

import { Worker } from 'node:worker_threads'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { systemClock } from '../../clock.ts'
import { ServiceError } from '../../errors/index.ts'

interface RecoverableSignature {
  /** r‖s, 64 bytes. */
  compact: Uint8Array
  recoveryBit: number
}

export interface Recovered {
  /** Last 20 bytes of the public key's Keccak-256 hash, in lower-case hex. */
  address: string
  /** Whether s is in the upper half of its range. Wallets never create such a signature, so it is an altered copy. */
  isHighS: boolean
}

interface Pending {
  since: number
  resolve(recovered: Recovered | undefined): void
  reject(error: Error): void
}

const SIXTY_FIVE_BYTES = /^(?:0x)?[0-9a-f]{130}$/i

/** Most wallets write the recovery bit as 27 or 28, some as 0 or 1. */
const RECOVERY_BYTES = [0, 1, 27, 28]

/** Parses a hex signature of 65 bytes, r‖s‖v. @returns undefined for any other string */
export function readRecoverable(signature: string): RecoverableSignature | undefined {
  if (!SIXTY_FIVE_BYTES.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(-130), 'hex')
  const place = RECOVERY_BYTES.indexOf(bytes.readUInt8(64))
  return place < 0 ? undefined : { compact: new Uint8Array(bytes.subarray(0, 64)), recoveryBit: place % 2 }
}

/** Returns the digest that a wallet signs: EIP-191 (`personal_sign`) or TIP-191. The length prefix counts bytes. */
export function digestOf(chain: 'Ethereum' | 'TRON', text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const prefix = `\x19${chain} Signed Message:\n${bytes.length}`
  return keccak_256(Buffer.concat([Buffer.from(prefix), bytes]))
}

/** How long jobs may wait before new jobs are rejected, in milliseconds. */
const PATIENCE_MS = 1000

/** Recovers signers on a separate thread, in about two milliseconds each. The next job restarts a failed thread. */
export function createRecovery() {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let lastId = 0

  function start(): Worker {
    const started = new Worker(new URL(import.meta.resolve('#recovery-worker')), { execArgv: [] })
    started.on('message', ({ id, recovered }: { id: number; recovered: Recovered | undefined }) => {
      pending.get(id)?.resolve(recovered)
      pending.delete(id)
      if (pending.size === 0) started.unref()
    })
    started.on('error', error => fail(started, error))
    started.on('exit', () => fail(started, new Error('the signer recovery thread exited')))
    return started
  }

  function fail(thread: Worker, error: Error): void {
    // A thread that has failed exits later, when another one might already have replaced it.
    if (thread !== worker) return
    worker = undefined
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    /**
     * @returns undefined if no key could have made the signature
     * @throws ServiceError OVERLOADED if the oldest job has waited for more than a second (interface 21.8)
     */
    async recover(job: RecoverableSignature & { digest: Uint8Array }): Promise<Recovered | undefined> {
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

import { signal } from '@preact/signals'
import type { SubmitBody } from '../../client/index.ts'
import { askPlayground, client, dataOf, Problem } from '../service.ts'
import { poolOf } from './catalogue.ts'
import { createLoader } from './loadable.ts'
import { quoteRequest, side } from './quote.ts'
import { payer } from './wallet.ts'

/** The user's consent to a transfer: a signature of the quote's message, a payment, or a lock of bitcoins. */
interface Approval {
  readonly signature?: string
  readonly transactionIdSeed?: string
  /** The payment's id at the payment provider. */
  readonly transactionId?: string
  /** The fields of the submission about the lock. */
  readonly lock?: Pick<SubmitBody, 'htlcLockId' | 'htlcAddress' | 'htlcCreationHash'>
}

const LOCK_POLL_MS = 5000

const loader = createLoader<Approval>()
export const { state: approvalState, value: approval } = loader

/** Signs the message of the chosen fee option, for crypto transfers (interface 6.11). */
export async function sign(): Promise<void> {
  const message = side.value?.message
  if (message === undefined) return
  const { sign } = payer.value
  await loader.load(async () => ({ signature: await sign(message) }))
}

/** Requests a payment seed and the payment's id, for fiat rails (interface 10.12). */
export async function startPayment(): Promise<void> {
  await loader.load(async signal => {
    const transactionIdSeed = await dataOf(client.api.GET('/uuid', { parseAs: 'text', signal }))
    const params = { query: { transactionIdSeed } }
    const { transactionId } = await dataOf(client.api.GET('/submit/transactionId', { params, signal }))
    return { transactionIdSeed, transactionId }
  })
}

/** The current lock. `message` describes what it waits for. */
export const lock = signal<{ lockId?: string; htlcAddress?: string; txid?: string; message?: string }>({})

/** Locks bitcoins for the pool, and records the lock once it has enough confirmations (interface 26.3, 26.6). */
export async function lockBitcoins(): Promise<void> {
  const { address: senderAddress, publicKey: senderPubkey = '' } = payer.value
  const recipientAddress = quoteRequest.value.targetAddress
  const poolAddress = poolOf('BTC')?.poolAddress ?? ''
  const amountSats = Number(side.value?.allowanceAmount.value)
  await loader.load(async signal => {
    const terms = { senderAddress, senderPubkey, recipientAddress, poolAddress, amountSats }
    const intent = await dataOf(client.api.POST('/btc/htlc/lock-intent', { body: terms, signal }))
    const { lockId, htlcAddress } = intent
    lock.value = { lockId, htlcAddress }
    const payment = { address: htlcAddress, amountSats }
    const { txid } = await askPlayground<{ txid: string }>('faucet', payment, signal)
    lock.value = { lockId, htlcAddress, txid }
    for (;;) {
      const { data, error } = await client.api.POST('/btc/htlc/record', { body: { lockId, txid }, signal })
      if (data !== undefined) {
        const { lockId: htlcLockId, ...fields } = data
        return { lock: { ...fields, htlcLockId, htlcAddress } }
      }
      if (error.code !== 'LOCK_PENDING') throw new Problem(error)
      lock.value = { ...lock.value, message: error.message }
      await new Promise(resolve => setTimeout(resolve, LOCK_POLL_MS))
      signal.throwIfAborted()
    }
  })
}

export function forgetApproval(): void {
  loader.reset()
  lock.value = {}
}

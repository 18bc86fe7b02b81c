import { computed } from '@preact/signals'
import { client, dataOf } from '../service.ts'
import { createLoader, readyValue } from './loadable.ts'
import { side } from './quote.ts'
import { payer } from './wallet.ts'

/** The user's consent to a transfer: a signature of the quote's message, or a payment. */
export interface Approval {
  readonly kind: 'signature' | 'payment'
  /** The signature, or the seed of the payment. */
  readonly value: string
  /** The payment's id at the payment provider. */
  readonly transactionId?: string
}

const loader = createLoader<Approval>()

export const approvalState = loader.state
export const approval = computed(() => readyValue(approvalState.value))

/** Signs the message of the chosen fee option, for crypto transfers (interface 6.11). */
export async function sign(): Promise<void> {
  const message = side.value?.message
  if (message === undefined) return
  const { sign } = payer.value
  await loader.load(async () => ({ kind: 'signature', value: await sign(message) }))
}

/** Requests a payment seed and the payment's id, for fiat rails (interface 10.12). */
export async function startPayment(): Promise<void> {
  await loader.load(async signal => {
    const seed = await dataOf(client.api.GET('/uuid', { parseAs: 'text', signal }))
    const params = { query: { transactionIdSeed: seed } }
    const { transactionId } = await dataOf(client.api.GET('/submit/transactionId', { params, signal }))
    return { kind: 'payment', value: seed, transactionId }
  })
}

export const forgetApproval = loader.reset

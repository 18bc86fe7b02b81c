import { computed } from '@preact/signals'
import { answerOf, client } from '../service.ts'
import { createLoader, readyValue } from './loadable.ts'
import { side } from './quote.ts'
import { payer } from './wallet.ts'

/** How the user agrees to a transfer: by signing the message of the quote, or by paying. */
export interface Approval {
  readonly kind: 'signature' | 'payment'
  /** The signature, or the seed of the payment. */
  readonly value: string
  /** Under which the payment provider knows the payment. */
  readonly transactionId?: string
}

const loader = createLoader<Approval>()

export const approvalState = loader.state
export const approval = computed(() => readyValue(approvalState.value))

/** Crypto: signs the message of the chosen fee option (interface 6.11). */
export async function sign(): Promise<void> {
  const message = side.value?.message
  if (message === undefined) return
  const { sign } = payer.value
  await loader.load(async () => ({ kind: 'signature', value: await sign(message) }))
}

/** Rails: draws the seed of a payment, and asks for its id (interface 10.12). */
export async function startPayment(): Promise<void> {
  await loader.load(async signal => {
    const seed = await answerOf(client.api.GET('/uuid', { parseAs: 'text', signal }))
    const params = { query: { transactionIdSeed: seed } }
    const { transactionId } = await answerOf(client.api.GET('/submit/transactionId', { params, signal }))
    return { kind: 'payment', value: seed, transactionId }
  })
}

export const forgetApproval = loader.reset

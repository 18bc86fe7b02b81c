import { computed, signal } from '@preact/signals'
import type { Quote } from '../../client/index.ts'
import { client } from '../service.ts'
import { assertCompliant } from './compliance.ts'
import { createLoader, readyValue } from './loadable.ts'
import { now } from './now.ts'
import { isRail, transfer } from './transfer.ts'
import { payer } from './wallet.ts'

const loader = createLoader<Quote>()

export const quoteState = loader.state
export const quote = computed(() => readyValue(quoteState.value))

/** The fee options of a quote. */
export type FeeSide = 'feeFromOrigin' | 'feeFromTarget'

/** The fee option that the user chose last. */
export const wantedSide = signal<FeeSide>('feeFromOrigin')

/** The fee option in effect. Swap quotes have only `feeFromOrigin`. */
export const chosenSide = computed<FeeSide>(() =>
  quote.value !== undefined && quote.value[wantedSide.value] === undefined
    ? 'feeFromOrigin'
    : wantedSide.value
)

/** The values to approve, sign and submit for the chosen fee option. */
export const side = computed(() => quote.value?.[chosenSide.value])

/** The parameters of the quote request (interface 5.2). */
export const quoteRequest = computed(() => ({
  amount: transfer.amount.value.trim(),
  originAddress: isRail.value ? '' : payer.value.address,
  originChain: transfer.originChain.value,
  originSymbol: transfer.originSymbol.value,
  targetAddress: transfer.targetAddress.value.trim(),
  targetChain: transfer.targetChain.value,
  targetSymbol: transfer.targetSymbol.value
}))

export async function getQuote(): Promise<void> {
  const request = quoteRequest.value
  const { originAddress, targetAddress } = request
  await loader.load(async signal => {
    const quote = await client.quote(request, { signal })
    await assertCompliant({ ...(originAddress !== '' && { originAddress }), targetAddress }, signal)
    return quote
  })
}

export const forgetQuote = loader.reset

export const isExpired = computed(() => {
  const { expiresAt } = quote.value ?? {}
  return expiresAt !== undefined && expiresAt.getTime() <= now.value
})

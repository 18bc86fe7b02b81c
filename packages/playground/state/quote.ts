import { computed, signal } from '@preact/signals'
import type { Quote } from '../../client/index.ts'
import { client, dataOf, Problem } from '../service.ts'
import { createLoader } from './loadable.ts'
import { isRail, transfer } from './transfer.ts'
import { payer } from './wallet.ts'

const loader = createLoader<Quote>()
export const { state: quoteState, value: quote, reset: forgetQuote } = loader

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

let timer: ReturnType<typeof setInterval> | undefined

/** The current time, updated every second while the page displays it. */
export const now = signal(Date.now(), {
  watched() {
    this.value = Date.now()
    timer = setInterval(() => {
      this.value = Date.now()
    }, 1000)
  },
  unwatched: () => clearInterval(timer)
})

export const isExpired = computed(() => {
  const { expiresAt } = quote.value ?? {}
  return expiresAt !== undefined && expiresAt.getTime() <= now.value
})

/**
 * Checks the addresses before the user signs or approves anything, if the service has a compliance provider.
 * @param fields the addresses by field name
 * @throws Problem when an address is not compliant, or the provider cannot check it
 */
async function assertCompliant(fields: Record<string, string>, signal: AbortSignal): Promise<void> {
  const { enabled } = await dataOf(client.api.GET('/compliant/enabled', { signal }))
  if (!enabled) return
  const params = { query: { address: Object.values(fields) } }
  const { isError, results } = await dataOf(client.api.GET('/compliant', { params, signal }))
  if (isError)
    throw new Problem({
      code: 'COMPLIANCE_UNAVAILABLE',
      message: 'The addresses cannot be checked at the moment.'
    })
  const details = Object.keys(fields)
    .filter((_, index) => !results[index]?.isCompliant)
    .map(field => ({ path: `/${field}`, message: 'must be a compliant address' }))
  if (details.length > 0)
    throw new Problem({
      code: 'NOT_COMPLIANT',
      message: 'The compliance provider rejected an address.',
      details
    })
}

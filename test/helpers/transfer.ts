/** The transfer that tests and benchmarks submit. Its addresses are well-formed examples without an owner. */
export const ROUTE = {
  originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

const AMOUNTS = { amount: '100500000', fee: '410000', decimals: 6 }

/** As long as a wallet's signature of a quote's message; by default the service only observes that it is none. */
const SIGNATURE = `0x${'5a'.repeat(65)}`

const optionsOf = (feeId: string) => JSON.stringify({ feeId, signature: SIGNATURE })

/** The JSON body of `POST /submit` in version 1.5: 100.5 USDT, a fee of 0.41 USDT, both in base units. */
export function submitBody(feeId: string, change: Partial<typeof ROUTE & typeof AMOUNTS> = {}): string {
  return JSON.stringify({ ...ROUTE, ...AMOUNTS, options: optionsOf(feeId), ...change })
}

/** The fields of the chain's message that the service makes of that body, without its `creator`. */
export function transferFields(feeId: string) {
  return { ...ROUTE, amount: '100.5', fee: '0.41', options: optionsOf(feeId) }
}

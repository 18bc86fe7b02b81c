const ROUTE = {
  originAddress: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  originChain: 'ETH',
  originSymbol: 'USDT',
  targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  targetChain: 'POL',
  targetSymbol: 'USDC'
}

/** As long as a wallet's signature of the fee quote's message. */
const SIGNATURE = `0x${'5a'.repeat(65)}`

/** The body of a `POST /submit` in the widget's form. */
export function transferBody(feeId: string): string {
  return JSON.stringify({
    ...ROUTE,
    amount: '100000000',
    fee: '50000',
    decimals: 6,
    options: JSON.stringify({ feeId, signature: SIGNATURE })
  })
}

/** The chain's message for the same transfer, as the service makes it of that body. */
export function transferMessage(feeId: string, creator: string) {
  return {
    ...ROUTE,
    creator,
    amount: '100',
    fee: '0.05',
    options: JSON.stringify({ feeId, signature: SIGNATURE })
  }
}

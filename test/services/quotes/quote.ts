import type { StoredQuote } from '../../../services/quotes/contract.ts'

export const NOW = 1_700_000_000_000

/** Creates a quote that expires a second after NOW. */
export function quote(feeId: string, expiresAt = NOW + 1000): StoredQuote {
  return {
    feeId,
    expiresAt,
    origin: { chain: 'ETH', address: '0x01', symbol: 'USDT' },
    target: { chain: 'POL', address: '0x02', symbol: 'USDC' },
    fee: { value: '500000', decimals: 6 },
    feeFromOrigin: {
      allowanceAmount: { value: '101000000', decimals: 6 },
      submitAmount: { value: '100500000', decimals: 6 },
      message: 'I approve'
    },
    isRefused: false
  }
}

import { createHash } from 'node:crypto'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'

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

/**
 * An invalid signature, as long as a wallet's signature. By default, the service does not reject invalid signatures.
 */
const SIGNATURE = `0x${'5a'.repeat(65)}`

const optionsOf = (feeId: string) => JSON.stringify({ feeId, signature: SIGNATURE })

/** Creates the version 1.5 JSON body of `POST /submit`: 100.5 USDT, a fee of 0.41 USDT, both in base units. */
export function submitBody(feeId: string, change: Partial<typeof ROUTE & typeof AMOUNTS> = {}): string {
  return JSON.stringify({ ...ROUTE, ...AMOUNTS, options: optionsOf(feeId), ...change })
}

/** Returns the fields of the chain message that the service creates from `submitBody`, without `creator`. */
export function transferFields(feeId: string) {
  return { ...ROUTE, amount: '100.5', fee: '0.41', options: optionsOf(feeId) }
}

/** feeId prefixes of requests that are not transfers or that the chain rejects. */
export const OTHER = { swap: 'swap-', refused: 'refused-', refusedByEvent: 'refused-by-event-' } as const

function targetOf(feeId: string): Partial<typeof ROUTE> {
  if (feeId.startsWith(OTHER.refusedByEvent)) return { targetAddress: specialTargets.refusedByEvent }
  return feeId.startsWith(OTHER.refused) ? { targetAddress: specialTargets.failedMessage } : {}
}

/** Returns a pattern for a request's simulation error, `CODESPACE CODE: TEXT`; undefined if the simulation passes. */
export function simulatedRefusal({ targetAddress }: Pick<typeof ROUTE, 'targetAddress'>): RegExp | undefined {
  return targetAddress === specialTargets.failedMessage
    ? /^sdk 6: .*the target address makes the message fail/
    : undefined
}

/**
 * Creates a request from its feeId, with a unique user and amount, so that results of different requests cannot be
 * confused.
 * @returns the path and the JSON body, and the fields of the chain's message without its `creator`
 */
export function ownRequest(feeId: string) {
  const digest = createHash('sha256').update(feeId).digest()
  const route = { ...ROUTE, originAddress: `0x${digest.toString('hex', 12)}`, ...targetOf(feeId) }
  // The amount ends in 1, because the service drops trailing zeros.
  const [whole, fraction] = [100 + digest.readUInt8(), `${10_000 + digest.readUInt16BE(1)}1`]
  const [units, amount] = [`${whole}${fraction}`, `${whole}.${fraction}`]
  const options = optionsOf(feeId)
  if (feeId.startsWith(OTHER.swap)) {
    const amounts = { amountIn: units, amountOut: '99900001', fee: '410000', decimals: 6 }
    const terms = { options, dex: 'auto', slippage: '0.5' }
    return {
      path: '/submit/swap',
      body: JSON.stringify({ ...route, ...amounts, ...terms }),
      fields: { ...route, amountIn: amount, amountOut: '99.900001', fee: '0.41', ...terms }
    }
  }
  return {
    path: '/submit',
    body: submitBody(feeId, { ...route, amount: units }),
    fields: { ...transferFields(feeId), ...route, amount },
    refusal: simulatedRefusal(route)
  }
}

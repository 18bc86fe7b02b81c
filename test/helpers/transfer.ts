import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { specialTargets } from '../../packages/devnet/modules/transfer/special-addresses.ts'
import { patientGet } from './patient-fetch.ts'

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

/** As long as a wallet's signature, but invalid. By default, the service does not reject it. */
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
 * Creates a request with a unique user and amount, so that results of different requests cannot be confused.
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

/** Parameters of a fee request for a transfer. */
export const TRANSFER = { ...ROUTE, amount: '100.5' }

/** Requests a transfer's quote, as a widget does. */
export async function quoteFor(server: FastifyInstance, change: Partial<typeof TRANSFER> = {}) {
  const response = await patientGet(server, `/submit/fees?${new URLSearchParams({ ...TRANSFER, ...change })}`)
  if (response.statusCode !== 200) throw new Error(`no quote: ${response.body}`)
  return response.json()
}

/** Creates a version 1.5 body with a new quote and the fee paid at the origin. */
export async function transferBody(server: FastifyInstance, change: Partial<typeof TRANSFER> = {}) {
  const quote = await quoteFor(server, change)
  const { submitAmount, message } = quote.transactionValues.feeFromOrigin
  const { feeId, feeTotalBigInt: fee, decimals } = quote
  const options = JSON.stringify({ feeId, signature: '0xsigned', message })
  return { ...TRANSFER, ...change, amount: submitAmount, fee, decimals, options }
}

/** Creates the body of a card payment. Its feeId is random, which the service accepts by default. */
export function cardBody(change: object = {}, options: object = {}) {
  const origin = { originAddress: '', originChain: 'CC', originSymbol: 'USD' }
  const payment = { feeId: randomUUID(), paymentMethod: 'creditCard', transactionIdSeed: randomUUID() }
  const amounts = { amount: '10050', fee: '42', decimals: 2 }
  return {
    ...TRANSFER,
    ...origin,
    ...amounts,
    options: JSON.stringify({ ...payment, ...options }),
    ...change
  }
}

/** Creates the body of a swap between the transfer's tokens. Like a card payment, it has no quote. */
export function swapBody(change: object = {}, options: object = {}) {
  const amounts = {
    amount: undefined,
    amountIn: '100500000',
    amountOut: '99900000',
    fee: '412750',
    decimals: 6
  }
  const ownOptions = JSON.stringify({ feeId: randomUUID(), signature: '0xsigned', ...options })
  return { ...TRANSFER, ...amounts, dex: 'auto', slippage: '0.5', options: ownOptions, ...change }
}

/** The error response for a field with an invalid value. */
export const refused = (code: string, field: string, message: RegExp | string = /./) => ({
  statusCode: 400,
  code,
  details: [{ path: `/${field}`, message }]
})

export function submit(
  server: FastifyInstance,
  body: object,
  { path = '/submit', headers = {} }: { path?: string; headers?: Record<string, string> } = {}
) {
  return server.inject({ method: 'POST', url: path, body, headers })
}

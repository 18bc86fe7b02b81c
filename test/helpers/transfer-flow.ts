import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { patientGet } from './patient-fetch.ts'
import { ROUTE } from './transfer.ts'

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

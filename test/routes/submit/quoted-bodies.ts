import type { FastifyInstance } from 'fastify'
import { cardBody, quoteFor, submit, swapBody, TRANSFER } from '../../helpers/transfer.ts'
import type { User } from '../../helpers/users.ts'

export type Side = 'feeFromOrigin' | 'feeFromTarget'
interface Choice {
  chain?: string
  chargeFeeAtTarget?: boolean | undefined
  /** The side whose amount is submitted. */
  submitted?: Side
  /** The side whose message is signed. */
  signed?: Side
}

/**
 * Requests a quote and builds a signed body for it, which omits the signed message, as newer widgets do.
 * @returns `needed` is the quoted allowance; `send` submits the body with other options
 */
export async function signedBody(server: FastifyInstance, user: User, choice: Choice = {}) {
  const { chain = 'ETH', chargeFeeAtTarget, submitted = 'feeFromOrigin', signed = submitted } = choice
  const origin = { originChain: chain, originAddress: user.address }
  const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = await quoteFor(server, origin)
  const { message } = transactionValues[signed]
  const { submitAmount: amount, allowanceAmount } = transactionValues[submitted]
  const options = { feeId, signature: await user.sign(message), chargeFeeAtTarget }
  const body = { ...TRANSFER, ...origin, amount, fee, decimals }
  const send = async (change: object = {}) =>
    (await submit(server, { ...body, options: JSON.stringify({ ...options, ...change }) })).json()
  return { body, options, message, needed: BigInt(allowanceAmount), send }
}

export const CARD = { originChain: 'CC', originSymbol: 'USD', originAddress: '' }

/** Requests a quote for a payment, and builds a card payment's body with its feeId and amounts. */
export async function quotedPayment(
  server: FastifyInstance,
  { quoted = CARD, ...change }: { quoted?: Partial<typeof TRANSFER>; [field: string]: unknown } = {},
  options: object = {}
) {
  const { feeId, feeTotalBigInt: fee, transactionValues } = await quoteFor(server, quoted)
  const { submitAmount: amount } = transactionValues.feeFromOrigin
  return cardBody({ amount, fee, ...change }, { feeId, ...options })
}

const ANYBODY: User = { address: TRANSFER.originAddress, sign: async () => '0xsigned' }

export async function quotedSwap(server: FastifyInstance, { address, sign } = ANYBODY) {
  const ends = { originAddress: address, targetChain: 'AVX', targetSymbol: 'EURC' }
  const { feeId, feeTotalBigInt: fee, transactionValues, swapInfo } = await quoteFor(server, ends)
  const { submitAmount: amountIn, message } = transactionValues.feeFromOrigin
  const amounts = { amountIn, amountOut: swapInfo.amountOutBigInt, fee }
  return swapBody({ ...ends, ...amounts }, { feeId, signature: await sign(message) })
}

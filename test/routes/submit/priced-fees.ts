import type { startNetwork } from '../../helpers/app.ts'
import { forward, json, serve } from '../../helpers/local-server.ts'
import type { Test } from '../../helpers/tap.ts'

/** Starts a proxy for a development network's fee service, with prices that a test can change. */
export async function pricedFees(t: Test, devnet: Awaited<ReturnType<typeof startNetwork>>) {
  const prices = {
    /** Added to every total fee, in the smallest unit. */
    surcharge: 0n,
    /** Lifetime of a quote in milliseconds; undefined keeps the network's lifetime. */
    lifetimeMs: undefined as number | undefined,
    /** Subtracted from a swap's payout, in the smallest unit; a payout of 0 makes the quote a transfer's. */
    lessOut: 0n,
    /** Payment method in the options of a quote; undefined for none. */
    paymentMethod: undefined as string | undefined,
    fails: false
  }
  const { url, seen } = await serve(t, async (request, response) => {
    if (prices.fails) return json(response, {}, 500)
    const { SERVICE_BACKEND_NODE_PROVIDER_QUERY: chainApi } = devnet.env()
    const { status, body: quote } = await forward(`${chainApi}${request.url}`, request)
    if (status !== 200) return json(response, quote, status)
    const { lifetimeMs, surcharge, lessOut, paymentMethod } = prices
    if (paymentMethod !== undefined) quote.options = { paymentMethod }
    quote.feeTotalBigInt = String(BigInt(quote.feeTotalBigInt) + surcharge)
    if (lifetimeMs !== undefined) quote.expiration = new Date(Date.now() + lifetimeMs).toISOString()
    if (quote.swapInfo) {
      const amountOut = BigInt(quote.swapInfo.amountOutBigInt)
      quote.swapInfo.amountOutBigInt = String(amountOut > lessOut ? amountOut - lessOut : 0n)
    }
    json(response, quote)
  })
  return { url, prices, seen }
}

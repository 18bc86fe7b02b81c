import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DevnetNames } from '../brand.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import { createQuote } from './quote.ts'
import { QuoteRequest, QuoteRequestV3, resolveRoute } from './route.ts'

/**
 * Creates the quote routes of the fee service and the chain's REST API (interface 5.4, 5.18). The versions differ
 * in the format of amounts; v3 also requires `peggedTo` and echoes `options`.
 */
export function feeRoutes(names: DevnetNames): FastifyPluginAsyncTypebox {
  return async app => {
    app.post('/v2/fees/calculate', { schema: { body: QuoteRequest } }, ({ body }) =>
      createQuote(resolveRoute({ ...body, options: {} }), names, 'v2')
    )
    app.post('/v3/fees/calculate', { schema: { body: QuoteRequestV3 } }, ({ body }) =>
      createQuote(resolveRoute(body), names, 'v3')
    )
  }
}

/** Starts the fee service. Responds 400 with the reason to requests that it cannot quote. */
export async function createFeeServer(names: DevnetNames, options: ListenOptions): Promise<RunningServer> {
  const app = createApp()
  await app.register(feeRoutes(names))
  return listen(app, options)
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DevnetNames } from '../brand.ts'
import { feeRoutes } from '../fees/index.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import { registryRoutes } from './registry-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

/** Starts the chain's REST API (`{chain_api_url}`) with the brand's modules and the fee routes. */
export async function createRestServer(
  ledger: DevnetLedger,
  names: DevnetNames,
  control: FastifyPluginAsyncTypebox,
  options: ListenOptions
): Promise<RunningServer> {
  const app = createApp()
  app.setNotFoundHandler((_request, reply) =>
    reply.code(501).send({ code: 12, message: 'Not Implemented', details: [] })
  )
  await app.register(registryRoutes(ledger, names), { prefix: names.apiPath })
  await app.register(transactionRoutes(ledger, names), { prefix: names.apiPath })
  await app.register(feeRoutes(names))
  await app.register(control)
  return listen(app, options)
}

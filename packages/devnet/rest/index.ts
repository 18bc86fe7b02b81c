import { Type } from '@sinclair/typebox'
import { devnetNames } from '../brand.ts'
import type { Chain } from '../chain/chain.ts'
import { feeRoutes } from '../fees/index.ts'
import { createApp, type ListenOptions, listen, type RunningServer } from '../http-server.ts'
import type { DevnetLedger } from '../ledger.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { GatewayError, notFound } from './gateway-error.ts'
import { registryRoutes } from './registry-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

const schema = { params: Type.Object({ address: Type.String() }) }

/**
 * The chain's REST API (`{chain_api_url}`): the brand's modules, the fee call, the accounts. Errors have the gRPC
 * gateway's form.
 */
export async function createRestServer(
  chain: Chain,
  ledger: DevnetLedger,
  brand: string,
  options: ListenOptions
): Promise<RunningServer> {
  const names = devnetNames(brand)
  const app = createApp()
  app.setNotFoundHandler((_request, reply) =>
    reply.code(501).send({ code: 12, message: 'Not Implemented', details: [] })
  )
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof GatewayError)) return reply.send(error)
    return reply.code(error.statusCode).send({ code: error.grpcCode, message: error.message, details: [] })
  })
  app.get('/cosmos/auth/v1beta1/accounts/:address', { schema }, ({ params: { address } }) => {
    const account = getAccount(chain.state, address)
    if (account === undefined) throw notFound(`account ${address} not found: key not found`)
    const [account_number, sequence] = [String(account.accountNumber), String(account.sequence)]
    return { account: { '@type': '/cosmos.auth.v1beta1.BaseAccount', address, account_number, sequence } }
  })
  await app.register(registryRoutes(names), { prefix: names.apiPath })
  await app.register(transactionRoutes(ledger, names), { prefix: names.apiPath })
  await app.register(feeRoutes(brand))
  return listen(app, options)
}

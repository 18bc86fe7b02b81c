import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as schemas from '../../schemas/bitcoin.ts'
import type { ErrorStatus } from '../../schemas/error-catalogue.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { bitcoinProblem } from '../../services/addresses/bitcoin.ts'
import { canonicalAddress } from '../../services/addresses/index.ts'
import { fieldError, ServiceError } from '../../services/errors/index.ts'
import { scrubAll } from '../../services/secrets.ts'

const about = (operationId: string, summary: string, more = '') => {
  const description = `${more}Without BTC_API_URL, the service has no such route.`
  return { operationId, summary, description, tags: ['bitcoin'] }
}
const responses = <T>(body: T, ...statuses: ErrorStatus[]) => ({
  response: { 200: body, ...errorResponses(502, 504, ...statuses) }
})

const height = { ...about('getBitcoinHeight', 'Height of the newest block'), ...responses(schemas.Height) }
const tip = { ...about('getBitcoinTip', 'The newest block'), ...responses(schemas.Tip) }
const balance = {
  ...about('getBitcoinBalance', 'Balance of an address'),
  querystring: schemas.AddressQuery,
  ...responses(schemas.Balance, 400)
}
const utxo = {
  ...about('getBitcoinUtxos', 'Unspent outputs of an address'),
  params: schemas.AddressQuery,
  ...responses(schemas.Utxos, 400)
}
const outspend = {
  ...about('getBitcoinOutspend', 'Whether an output is spent'),
  querystring: schemas.OutspendQuery,
  ...responses(schemas.Outspend, 400, 404)
}
const transaction = {
  ...about('getBitcoinTransaction', 'A transaction'),
  querystring: schemas.TransactionQuery,
  ...responses(schemas.Transaction, 400, 404)
}
const TERMS = 'Only the pool can take the amount from the new address, or the sender after the timeout. '
const intent = {
  ...about('createLockIntent', 'Prepare a lock of bitcoins', TERMS),
  body: schemas.LockIntentBody,
  ...responses(schemas.LockIntent, 400, 413, 415)
}
const WAIT = '404 until it has as many confirmations as the service demands: ask again. '
const record = {
  ...about('recordLock', 'Record the transaction of a lock', WAIT),
  body: schemas.LockRecordBody,
  ...responses(schemas.LockRecord, 400, 404, 409, 413, 415)
}

const routes: FastifyPluginAsyncTypebox = async app => {
  if (app.bitcoin === undefined) return
  const { esplora, locks } = app.bitcoin

  /** @throws ServiceError ADDRESS_INVALID */
  function checked(address: string): string {
    const problem = bitcoinProblem(address, app.config.SERVICE_ENVIRONMENT)
    if (problem !== undefined) throw fieldError('address', problem, 'ADDRESS_INVALID')
    return canonicalAddress(address)
  }

  app.get('/height', { schema: height }, () => esplora.tip())
  app.get('/tip', { schema: tip }, () => esplora.tip())
  app.get('/balance', { schema: balance }, async ({ query }) => esplora.balance(checked(query.address)))
  app.get('/utxo/:address', { schema: utxo }, async ({ params }) => esplora.utxos(checked(params.address)))
  app.get('/outspend', { schema: outspend }, async ({ query }) =>
    found(await esplora.outspend(query.txid, query.vout))
  )
  app.get('/transaction', { schema: transaction }, async ({ query }) =>
    scrubAll(found(await esplora.transaction(query.hash)))
  )

  const config = { scopes: ['submit'] as const }
  app.post('/htlc/lock-intent', { config, schema: intent }, ({ body, client, caller }) =>
    locks.intend(body, { client, caller: caller?.name })
  )
  app.post('/htlc/record', { config, schema: record }, async ({ body, caller }) =>
    locks.record(await locks.find(body.lockId, caller?.name, 'lockId'), body.txid, 'txid')
  )
}

export default routes

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ServiceError('NOT_FOUND', 'There is no such Bitcoin transaction')
  return value
}

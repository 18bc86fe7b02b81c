import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AddressQuery,
  BitcoinBalance,
  BitcoinHeight,
  BitcoinTip,
  BitcoinTransaction,
  LockIntent,
  LockIntentBody,
  LockRecord,
  LockRecordBody,
  Outspend,
  OutspendQuery,
  TransactionQuery,
  Utxos
} from '../../schemas/bitcoin.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { bitcoinProblem } from '../../services/addresses/bitcoin.ts'
import { canonicalAddress } from '../../services/addresses/index.ts'
import { fieldError, ServiceError } from '../../services/errors/index.ts'

const CONFIGURED = 'Without BTC_API_URL, the service has no such route.'
const about = (operationId: string, summary: string, description = CONFIGURED) => ({
  operationId,
  summary,
  description,
  tags: ['bitcoin']
})
const reading = errorResponses(502, 504)
const finding = errorResponses(400, 404, 502, 504)
const ofAddress = errorResponses(400, 502, 504)

const schemas = {
  height: {
    ...about('getBitcoinHeight', 'Height of the newest block'),
    response: { 200: BitcoinHeight, ...reading }
  },
  tip: { ...about('getBitcoinTip', 'The newest block'), response: { 200: BitcoinTip, ...reading } },
  balance: {
    ...about('getBitcoinBalance', 'Balance of an address'),
    querystring: AddressQuery,
    response: { 200: BitcoinBalance, ...ofAddress }
  },
  utxo: {
    ...about('getBitcoinUtxos', 'Unspent outputs of an address'),
    params: AddressQuery,
    response: { 200: Utxos, ...ofAddress }
  },
  outspend: {
    ...about('getBitcoinOutspend', 'Whether an output is spent'),
    querystring: OutspendQuery,
    response: { 200: Outspend, ...finding }
  },
  transaction: {
    ...about('getBitcoinTransaction', 'A transaction'),
    querystring: TransactionQuery,
    response: { 200: BitcoinTransaction, ...finding }
  },
  intend: {
    ...about(
      'createLockIntent',
      'Prepare a lock of bitcoins',
      'Returns a new address, from which only the pool can take the amount, or the sender after the timeout. Both ' +
        `addresses are checked for compliance. ${CONFIGURED}`
    ),
    body: LockIntentBody,
    response: { 200: LockIntent, ...errorResponses(400, 413, 415, 502, 504) }
  },
  record: {
    ...about(
      'recordLock',
      'Record a lock of bitcoins',
      'Finds the output that pays the `htlcAddress` at least the amount. 404 until it has as many confirmations as the ' +
        `service demands: ask again. ${CONFIGURED}`
    ),
    body: LockRecordBody,
    response: { 200: LockRecord, ...errorResponses(400, 404, 409, 413, 415, 502, 504) }
  }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  if (app.bitcoin === undefined) return
  const { esplora, locks } = app.bitcoin

  /** @throws ServiceError ADDRESS_INVALID */
  async function checked(address: string): Promise<string> {
    const problem = bitcoinProblem(address, await esplora.network())
    if (problem !== undefined) throw fieldError('address', problem, 'ADDRESS_INVALID')
    return canonicalAddress(address)
  }

  app.get('/height', { schema: schemas.height }, async () => ({ height: (await esplora.tip()).height }))
  app.get('/tip', { schema: schemas.tip }, () => esplora.tip())
  app.get('/balance', { schema: schemas.balance }, async ({ query }) => ({
    balance: await esplora.balance(await checked(query.address))
  }))
  app.get('/utxo/:address', { schema: schemas.utxo }, async ({ params }) =>
    esplora.utxos(await checked(params.address))
  )
  app.get('/outspend', { schema: schemas.outspend }, async ({ query: { txid, vout } }) =>
    found(await esplora.outspend(txid, vout))
  )
  app.get('/transaction', { schema: schemas.transaction }, async ({ query }) =>
    found(await esplora.transaction(query.hash))
  )

  const config = { scopes: ['submit'] as const }
  app.post('/htlc/lock-intent', { config, schema: schemas.intend }, ({ body, client, caller }) =>
    locks.intend(body, { client, caller: caller?.name })
  )
  app.post('/htlc/record', { config, schema: schemas.record }, ({ body: { lockId, txid }, caller }) =>
    locks.record(lockId, txid, caller?.name)
  )
}

export default routes

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ServiceError('NOT_FOUND', 'There is no such Bitcoin transaction')
  return value
}

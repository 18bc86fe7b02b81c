import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ReclaimBody } from '../../schemas/bitcoin.ts'
import { bitcoinProblem } from '../../services/addresses/bitcoin.ts'
import { canonicalAddress } from '../../services/addresses/index.ts'
import { isOver, isSpent } from '../../services/bitcoin/chain-locks.ts'
import { fieldError } from '../../services/errors/index.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { keyIdentity } from '../../services/requests/accept-submission.ts'
import { lockIdentity } from '../../services/submission/identities.ts'
import { sendOutcome, submitOptions } from '../submit/submit-route.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { bitcoin, submissions, signer, store } = app
  if (bitcoin === undefined) return
  const { htlcReclaim } = createMessageTypes(app.config.SERVICE_BRAND)
  const { config, schema } = submitOptions(app.config.SERVICE_RESPONSE_FORMAT, {
    operationId: 'reclaimLock',
    summary: 'Ask the chain to give a lock of bitcoins back',
    description:
      'After the timeout of the lock. Submits the request to the chain exactly once, like a transfer; it has no `txId`. ' +
      'Without BTC_API_URL, the service has no such route.',
    body: ReclaimBody
  })
  const { 200: _, ...response } = schema.response

  app.post('/', { config, schema: { ...schema, response } }, async (request, reply) => {
    const { body, headers, caller, client, id: requestId } = request
    const problem = bitcoinProblem(body.senderAddress, app.config.SERVICE_ENVIRONMENT)
    if (problem !== undefined) throw fieldError('senderAddress', problem, 'ADDRESS_INVALID')
    const { txHash } = body
    const senderAddress = canonicalAddress(body.senderAddress)
    const message = htlcReclaim.encode({ creator: signer.address, txHash, senderAddress }).finish()
    const reclaim = {
      identities: [
        lockIdentity('reclaim', txHash, senderAddress),
        ...keyIdentity(headers['idempotency-key'], caller?.name)
      ],
      typeUrl: htlcReclaim.typeUrl,
      message,
      ...(caller && { caller: caller.name })
    }
    if (!(await submissions.isAccepted(reclaim))) {
      const lock = await bitcoin.chainLocks.find(txHash, senderAddress)
      if (lock === undefined)
        throw fieldError('txHash', 'must contain a lock of the sender that the chain knows', 'LOCK_UNKNOWN')
      if (!(await isOver(bitcoin.esplora, Number(lock.htlcTimestamp), store.now())))
        throw fieldError(
          'txHash',
          `must belong to a lock whose timeout (${lock.htlcTimestamp}) has passed`,
          'LOCK_INVALID'
        )
      if (await isSpent(bitcoin.esplora, txHash, lock.htlcAddress))
        throw fieldError('txHash', 'must belong to a lock that is not spent', 'LOCK_INVALID')
    }
    const requester = { shareOf: caller && client, requestId }
    return sendOutcome(request, reply, await submissions.submit(reclaim, requester))
  })
}

export default routes

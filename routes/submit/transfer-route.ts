import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { TransferBody } from '../../schemas/transfer.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { transferAmounts } from '../../services/requests/transfer.ts'
import { submit, submitOptions } from './submit-route.ts'

/** Creates the route of transfers, which has two paths (interface 6.1). @param alias.hide omits it from the document */
export const transferRoute =
  ({ hide = false } = {}): FastifyPluginAsyncTypebox =>
  async app => {
    const { requestTransaction } = createMessageTypes(app.config.SERVICE_BRAND)
    const kind = { readAmounts: transferAmounts, messageType: requestTransaction }
    const documentation = {
      operationId: 'submitTransfer',
      hide,
      summary: 'Submit a transfer to the chain',
      description:
        'Submits the transfer to the chain exactly once and waits for its block. A repeated request returns the result ' +
        'of the existing submission. A submission that is not settled in time returns 202 and continues. `POST /submit` is the same.',
      body: TransferBody
    }
    const options = submitOptions(app.config.SERVICE_RESPONSE_FORMAT, documentation, 404)
    app.post('/', options, (request, reply) => submit(request, reply, kind))
  }

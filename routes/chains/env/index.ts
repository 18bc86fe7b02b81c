import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { chainEnvironment, NotModified } from '../../../schemas/chains.ts'
import { errorResponses } from '../../../schemas/errors.ts'
import { brandNames } from '../../../services/brand.ts'
import { derive } from '../../../services/caches/cached-read.ts'
import { lastResult } from '../../../services/caches/last-result.ts'
import { whenThere } from '../../../services/caches/soon.ts'
import { version } from '../../../services/version.ts'
import { agedAnswers } from '../answer.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  const { SERVICE_ENVIRONMENT, SERVICE_BRAND, SERVICE_EXPLORER, PAYMENT_PARTNER_ID } = app.config
  const { explorerField } = brandNames(SERVICE_BRAND)
  const environment = lastResult((transferLimitMaxUSDT: string | null) => ({
    env: SERVICE_ENVIRONMENT,
    [explorerField]: SERVICE_EXPLORER ?? null,
    transferLimitMaxUSDT,
    paymentPartnerId: PAYMENT_PARTNER_ID ?? null,
    backendVersion: version
  }))
  const answer = agedAnswers()
  app.get(
    '/',
    {
      schema: {
        operationId: 'getChainEnvironment',
        summary: 'Environment of the service',
        description:
          'Settings for a widget. The transfer limit comes from the chain; the `age` header is sent with it only.',
        tags: ['chains'],
        response: { 200: chainEnvironment(explorerField), 304: NotModified, ...errorResponses() }
      }
    },
    (request, reply) =>
      whenThere(app.chains.transferLimit(), limit =>
        limit === undefined
          ? reply.send(environment(null))
          : answer(request, reply, derive(limit, environment))
      )
  )
}

export default routes

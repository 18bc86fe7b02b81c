import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AvailableChains, NotModified, TargetParams } from '../../../../schemas/chains.ts'
import { errorResponses } from '../../../../schemas/errors.ts'
import { aged } from '../../aged.ts'

const routes: FastifyPluginAsyncTypebox = async app => {
  app.get(
    '/',
    {
      schema: {
        operationId: 'getAvailableChains',
        summary: 'Chains that can pay to a chain',
        description:
          'Short names of the origins for this target. Empty for a chain that cannot be a target, or that the chain ' +
          'filter excludes as target; 404 for an unknown short name.',
        tags: ['chains'],
        params: TargetParams,
        response: { 200: AvailableChains, 304: NotModified, ...errorResponses(400, 404, 502, 504) }
      }
    },
    async (request, reply) => ({ Chains: aged(reply, await app.chains.origins(request.params.targetChain)) })
  )
}

export default routes

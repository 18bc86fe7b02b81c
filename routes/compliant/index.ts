import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ComplianceEnabled, ComplianceQuery, ComplianceResponse } from '../../schemas/compliance.ts'
import { errorResponses } from '../../schemas/errors.ts'
import { assertPossible } from '../../services/addresses/index.ts'

const schema = {
  operationId: 'getCompliance',
  summary: 'Are these addresses compliant?',
  description:
    'Whether the compliance provider accepts the addresses: not sanctioned, not blocked. Ask before the user ' +
    'approves anything; each submission is checked as well. 501 if no provider is configured.',
  tags: ['compliance'],
  querystring: ComplianceQuery,
  response: { 200: ComplianceResponse, ...errorResponses(400, 501, 502, 504) }
}

const enabledSchema = {
  operationId: 'getComplianceEnabled',
  summary: 'Are submissions checked for compliance?',
  description: 'True if a compliance provider is configured; it then checks each submission.',
  tags: ['compliance'],
  response: { 200: ComplianceEnabled, ...errorResponses() }
}

const routes: FastifyPluginAsyncTypebox = async app => {
  // Lookups cost money, so callers need a scope whenever submissions require a key.
  app.get('/', { config: { scopes: ['submit', 'read'] }, schema }, async request => {
    const { address } = request.query
    for (const [index, each] of address.entries())
      assertPossible(`address/${index}`, each, app.config.chainPrefix)
    // Count every further address, because each causes a paid lookup.
    for (const _ of address.slice(1)) await app.countRequest(request)
    return app.compliance.check(address)
  })
  app.get('/enabled', { schema: enabledSchema }, async () => ({ enabled: app.compliance.enabled }))
}

export default routes

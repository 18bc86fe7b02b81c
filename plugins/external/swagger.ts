import fp from 'fastify-plugin'
import { ErrorBody } from '../../schemas/errors.ts'
import { version } from '../../services/version.ts'

/**
 * `app.swagger()`: OpenAPI 3.1 from the routes' schemas, except in production, where nothing needs it. It is served under
 * /docs in development only (interface 15.5).
 */
export default fp(
  async app => {
    app.addSchema(ErrorBody)
    const { NODE_ENV } = app.config
    if (NODE_ENV === 'production') return
    const { default: swagger } = await import('@fastify/swagger')
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title: 'Transaction back end',
          description:
            'Quotes, submits and follows cross-chain transfers between a payment widget and the chain.',
          version
        },
        tags: [
          { name: 'chains', description: 'Supported chains, their tokens and pools' },
          { name: 'fees', description: 'Fee quotes' },
          { name: 'submit', description: 'Submission of transfers and swaps, and the state of submissions' },
          { name: 'status', description: 'Status of transactions on the chain' },
          { name: 'compliance', description: 'Compliance of addresses and verification of users (KYC)' },
          { name: 'service', description: 'The service itself' }
        ]
      },
      refResolver: { buildLocalReference: ({ $id }, _baseUri, _fragment, index) => String($id ?? index) },
      // A route answers with and without a trailing slash; the document shows it without.
      transform: ({ schema, url }) => ({ schema, url: url.replace(/(.)\/$/, '$1') })
    })
    if (NODE_ENV === 'development') {
      const { default: swaggerUi } = await import('@fastify/swagger-ui')
      await app.register(swaggerUi, { routePrefix: '/docs' })
    }
  },
  { name: 'swagger', dependencies: ['config', 'helmet'] }
)

import fp from 'fastify-plugin'
import { ErrorBody } from '../../schemas/errors.ts'
import { version } from '../../services/version.ts'

const title = 'Transaction back end'

/** Two arrows in opposite directions. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/>' +
  '<path d="M7 12h17l-5-5M25 20H8l5 5" fill="none" stroke="#fff" stroke-width="3"/></svg>'

/** The package's page does not say that it fits a phone, which shows it as small as a wide page then. */
const viewport = `const meta = document.createElement('meta')
meta.name = 'viewport'
meta.content = 'width=device-width, initial-scale=1'
document.head.append(meta)`

/** What the page may load, and from where: its scripts set styles and icons in place. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'"
}

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
          title,
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
      await app.register(swaggerUi, {
        routePrefix: '/docs',
        // Without the bar that has a logo of the package and loads documents of other origins.
        uiConfig: { layout: 'BaseLayout' },
        theme: {
          title: `${title}: API`,
          favicon: [
            { filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }
          ],
          js: [{ filename: 'viewport.js', content: viewport }]
        },
        staticCSP: contentSecurityPolicy
      })
    }
  },
  { name: 'swagger', dependencies: ['config', 'helmet'] }
)

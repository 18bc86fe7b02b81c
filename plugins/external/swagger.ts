import type { FastifyContextConfig } from 'fastify'
import fp from 'fastify-plugin'
import { brandNames } from '../../schemas/brand.ts'
import { completeDocument } from '../../schemas/document.ts'
import { ErrorBody } from '../../schemas/errors.ts'
import { script, styles } from '../../services/docs-page.ts'
import { version } from '../../services/version.ts'

const title = 'Transaction back end'

/** Two arrows in opposite directions. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3652d9"/>' +
  '<path d="M7 12h17l-5-5M25 20H8l5 5" fill="none" stroke="#fff" stroke-width="3"/></svg>'

/** The documentation page's scripts set inline styles and icons. */
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
 * `app.swagger()`: the OpenAPI 3.1 document, generated from the routes' schemas, except in production. Served at /docs
 * in development only (interface 15.12).
 */
export default fp(
  async app => {
    app.addSchema(ErrorBody)
    const { NODE_ENV, SERVICE_ACCESS, SERVICE_BRAND, SERVICE_RESPONSE_FORMAT } = app.config
    const prefix = app.prefix.replace(/\/$/, '')
    if (NODE_ENV === 'production') return
    const optional = [{}, { apiKey: [] }]
    /** Returns the `security` of operations where the default does not apply (interface 24.1). */
    function securityOf({ scopes, isForCallers, isProbe }: FastifyContextConfig) {
      if (isProbe) return { security: [] }
      if (isForCallers || (scopes && SERVICE_ACCESS === 'keys')) return { security: [{ apiKey: [] }] }
      return scopes && SERVICE_ACCESS === 'both' ? { security: optional } : {}
    }
    const { default: swagger } = await import('@fastify/swagger')
    await app.register(swagger, {
      openapi: {
        openapi: '3.1.0',
        info: {
          title,
          description:
            'Quotes, submits and follows cross-chain transfers between a payment widget and the chain.',
          version,
          license: { name: 'MIT', identifier: 'MIT' }
        },
        servers: [{ url: '/', description: 'The server that this document comes from' }],
        security: optional,
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              description: 'The API key of a caller. The operator decides who needs a key (`SERVICE_ACCESS`)'
            }
          }
        },
        tags: [
          { name: 'chains', description: 'Supported chains, their tokens and pools' },
          { name: 'fees', description: 'Fee quotes' },
          { name: 'submit', description: 'Submission of transfers and swaps, and the state of submissions' },
          { name: 'status', description: 'Status of transactions on the chain' },
          { name: 'bitcoin', description: 'Reads of Bitcoin, and locks of bitcoins' },
          { name: 'compliance', description: 'Compliance of addresses and verification of users (KYC)' },
          { name: 'service', description: 'The service itself' }
        ]
      },
      refResolver: { buildLocalReference: ({ $id }, _baseUri, _fragment, index) => String($id ?? index) },
      transformObject: input =>
        'openapiObject' in input
          ? completeDocument(input.openapiObject, brandNames(SERVICE_BRAND), SERVICE_RESPONSE_FORMAT)
          : input.swaggerObject,
      // Omit the prefix: the paths are relative to the service's URL.
      transform: ({ schema, url, route: { config = {} } }) => ({
        schema: { ...schema, ...securityOf(config) },
        url: url.slice(prefix.length)
      })
    })
    if (NODE_ENV === 'development') {
      const { default: swaggerUi } = await import('@fastify/swagger-ui')
      await app.register(swaggerUi, {
        routePrefix: '/docs',
        // The service might have a prefix, and a proxy might remove one: all addresses are relative to the page's.
        indexPrefix: '.',
        // The page shows a lock at operations that accept a key. An empty default leaves it only where a key makes a
        // difference.
        transformSpecification: document => ({ ...document, servers: [{ url: '..' }], security: [] }),
        transformSpecificationClone: false,
        // Remove the top bar, which can load documents from other origins.
        uiConfig: { layout: 'BaseLayout' },
        theme: {
          title: `${title}: API`,
          favicon: [
            { filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }
          ],
          css: [{ filename: 'page.css', content: styles }],
          js: [{ filename: 'page.js', content: script }]
        },
        staticCSP: contentSecurityPolicy
      })
    }
  },
  { name: 'swagger', dependencies: ['config', 'helmet'] }
)

import { isDeepStrictEqual } from 'node:util'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import fp from 'fastify-plugin'
import { ErrorBody } from '../../schemas/errors.ts'
import { webhookEvents } from '../../schemas/webhook-events.ts'
import { brandNames } from '../../services/brand.ts'
import { script, styles } from '../../services/docs-page.ts'
import { isObject } from '../../services/json.ts'
import { version } from '../../services/version.ts'

const title = 'Transaction back end'

/** Two arrows in opposite directions. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3652d9"/>' +
  '<path d="M7 12h17l-5-5M25 20H8l5 5" fill="none" stroke="#fff" stroke-width="3"/></svg>'

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

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>
type OpenApi = Extract<Document, { components?: unknown }>

/**
 * Moves each schema with a title to the components, under that name: generators make one type of it, wherever it occurs.
 * @param events the document's `webhooks`
 * @throws TypeError when two schemas have one title
 */
function nameSchemas({ components = {}, ...document }: OpenApi, events: object): Document {
  const schemas: Record<string, unknown> = { ...components.schemas }

  function withoutTitled(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map(member => withoutTitled(member))
    if (!isObject(value) || key === 'examples' || key === 'example') return value
    const copy = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withoutTitled(member, name)])
    )
    if (typeof copy['title'] !== 'string') return copy
    const { title, ...schema } = copy
    if (!isDeepStrictEqual(schemas[title] ?? schema, schema))
      throw new TypeError(`two schemas are named ${title}`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }

  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withoutTitled(schema)
  const paths = withoutTitled(document.paths)
  const webhooks = withoutTitled(events)
  return { ...document, paths, webhooks, components: { ...components, schemas } } as Document
}

/**
 * `app.swagger()`: OpenAPI 3.1 from the routes' schemas, except in production, where nothing needs it. It is served under
 * /docs in development only (interface 15.5).
 */
export default fp(
  async app => {
    app.addSchema(ErrorBody)
    const { NODE_ENV, SERVICE_BRAND } = app.config
    if (NODE_ENV === 'production') return
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
        security: [{}, { apiKey: [] }],
        components: {
          securitySchemes: {
            apiKey: {
              type: 'http',
              scheme: 'bearer',
              description: 'The API key of a caller; who needs one, the operator has set (`SERVICE_ACCESS`)'
            }
          }
        },
        tags: [
          { name: 'chains', description: 'Supported chains, their tokens and pools' },
          { name: 'fees', description: 'Fee quotes' },
          { name: 'submit', description: 'Submission of transfers and swaps, and the state of submissions' },
          { name: 'status', description: 'Status of transactions on the chain' },
          { name: 'compliance', description: 'Compliance of addresses and verification of users (KYC)' },
          { name: 'webhooks', description: 'What the service sends to `SERVICE_WEBHOOK_URL`' },
          { name: 'service', description: 'The service itself' }
        ]
      },
      refResolver: { buildLocalReference: ({ $id }, _baseUri, _fragment, index) => String($id ?? index) },
      // A route answers with and without a trailing slash; the document shows it without.
      transformObject: input =>
        'openapiObject' in input
          ? nameSchemas(input.openapiObject, webhookEvents(brandNames(SERVICE_BRAND).hashField))
          : input.swaggerObject,
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
          css: [{ filename: 'page.css', content: styles }],
          js: [{ filename: 'page.js', content: script }]
        },
        staticCSP: contentSecurityPolicy
      })
    }
  },
  { name: 'swagger', dependencies: ['helmet'] }
)

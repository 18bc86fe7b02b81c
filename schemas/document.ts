import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { type BrandNames, brandNames } from './brand.ts'
import { errorExample } from './errors.ts'
import examples from './examples.json' with { type: 'json' }
import { webhookEvents } from './webhook-events.ts'

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>
type OpenApi = Extract<Document, { components?: unknown }>

const ERROR = { $ref: '#/components/schemas/Error' }

type Part = { $ref?: string; content?: Record<string, { schema: object; example?: unknown }> }
type Operation = { operationId: string; requestBody?: Part; responses: Record<string, Part> }

/**
 * Completes the document that Fastify generates from the routes' schemas: adds webhooks and examples, and moves titled
 * schemas to components, so that generators create one type for each.
 * @throws TypeError when two different schemas have the same title
 */
export function completeDocument({ components = {}, ...document }: OpenApi, names: BrandNames): Document {
  const paths = document.paths as Record<string, object>
  const parts = { paths, webhooks: webhookEvents(names) }
  const { schemas, named } = nameSchemas(components.schemas ?? {}, parts)
  const operations = Object.values({ ...named.paths, ...named.webhooks }).flatMap<Operation>(Object.values)
  addExamples(operations, names)
  const responses = nameErrors(operations)
  return { ...document, ...named, components: { ...components, schemas, responses } } as Document
}

function nameSchemas<Parts extends object>(components: object, parts: Parts) {
  const schemas: Record<string, unknown> = { ...components }

  function withoutTitled(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map(member => withoutTitled(member))
    if (typeof value !== 'object' || value === null || key === 'examples' || key === 'example') return value
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
  return { schemas, named: withoutTitled(parts) as Parts }
}

function addExamples(operations: Operation[], names: BrandNames): void {
  // The examples were recorded with the default brand.
  const recorded = brandNames('service')
  const text = (['hashField', 'explorerField', 'feeProcessingField'] as const).reduce(
    (text, field) => text.replaceAll(recorded[field], names[field]),
    JSON.stringify(examples)
  )
  const examplesOf: Record<string, Record<string, unknown>> = JSON.parse(text)
  for (const { operationId, requestBody = {}, responses } of operations)
    for (const [part, { content = {} }] of Object.entries({ request: requestBody, ...responses }))
      for (const media of Object.values(content)) media.example ??= examplesOf[operationId]?.[part]
}

/** Moves error responses to the components, named after their status. */
function nameErrors(operations: Operation[]): object {
  const components: Record<string, object> = {}
  for (const { responses } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const [media] = Object.values(response.content ?? {})
      if (media === undefined || !isDeepStrictEqual(media.schema, ERROR)) continue
      media.example = errorExample(status)
      const name = `${STATUS_CODES[status]}`.replaceAll(' ', '')
      components[name] = response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return components
}

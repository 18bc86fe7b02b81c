import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { type BrandNames, brandNames } from './brand.ts'
import { errorExample } from './errors.ts'
import examples from './examples.json' with { type: 'json' }
import widgetExamples from './examples-widget.json' with { type: 'json' }
import type { ResponseFormat } from './fee-quote.ts'
import { webhookEvents } from './webhook-events.ts'

type Document = ReturnType<NonNullable<FastifyDynamicSwaggerOptions['transformObject']>>
type OpenApi = Extract<Document, { components?: unknown }>

const ERROR = { $ref: '#/components/schemas/ErrorBody' }

type Part = { $ref?: string; content?: Record<string, { schema: object; example?: unknown }> }
type Operation = { operationId: string; requestBody?: Part; responses: Record<string, Part> }
type Operations = Record<string, Record<string, Operation>>

/**
 * Completes the document that Fastify generates from the routes' schemas: adds examples, and moves titled schemas to
 * components, so that generators create one type for each.
 * @throws TypeError when two different schemas have the same title
 */
export function completeDocument(
  { components = {}, ...document }: OpenApi,
  names: BrandNames,
  format: ResponseFormat
): Document {
  const { schemas, named } = nameSchemas(components.schemas ?? {}, document.paths as Operations)
  const operations = addExamples(named, names, format)
  const responses = nameErrors(operations)
  return { ...document, paths: named, components: { ...components, schemas, responses } } as Document
}

/**
 * Creates the document of the webhooks. They are separate from the routes, because generators would create requests to
 * the service from them.
 */
export function webhookDocument(names: BrandNames) {
  const { schemas, named } = nameSchemas({}, webhookEvents(names))
  addExamples(named, names, 'documented')
  return { webhooks: named, components: { schemas } }
}

function nameSchemas(components: object, parts: object) {
  const schemas: Record<string, unknown> = { ...components }

  function withoutTitled(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map(member => withoutTitled(member))
    if (typeof value !== 'object' || value === null || key === 'examples' || key === 'example') return value
    const copy = Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, withoutTitled(member, name)])
    )
    if (typeof copy['title'] !== 'string') return forGenerators(copy)
    const { title, ...schema } = copy
    if (!isDeepStrictEqual(schemas[title] ?? schema, schema))
      throw new TypeError(`two schemas are named ${title}`)
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }

  for (const [name, schema] of Object.entries(schemas)) schemas[name] = withoutTitled(schema)
  return { schemas, named: withoutTitled(parts) as Operations }
}

const MAX_INT32 = 2 ** 31 - 1

/**
 * Adds the formats of numbers, because some generators otherwise use 32 bits. Drops the alternative that an amount in a
 * body is a number, because generators would create a class for the choice.
 */
function forGenerators(schema: Record<string, unknown>): object {
  const { anyOf, type, maximum } = schema
  if (type === 'number') return { ...schema, format: 'double' }
  if (type === 'integer') return Number(maximum) <= MAX_INT32 ? schema : { ...schema, format: 'int64' }
  if (!Array.isArray(anyOf)) return schema
  const [text, ...others] = anyOf
  if (text.type !== 'string' || others.some(({ format }) => !/^(int64|double)$/.test(format))) return schema
  const { anyOf: _, ...rest } = schema
  return { ...text, ...rest }
}

function addExamples(parts: Operations, names: BrandNames, format: ResponseFormat): Operation[] {
  // The examples were recorded with the default brand.
  const recorded = brandNames('service')
  const text = (['hashField', 'explorerField', 'feeProcessingField'] as const).reduce(
    (text, field) => text.replaceAll(recorded[field], names[field]),
    JSON.stringify([examples, format === 'widget' ? widgetExamples : {}])
  )
  const [common, own]: Record<string, Record<string, unknown>>[] = JSON.parse(text)
  const operations = Object.values(parts).flatMap<Operation>(Object.values)
  /** The recorded bodies by schema, because other operations have responses of the same kind. */
  const recordedOf = new Map<string, unknown>()
  const bodies = operations.flatMap(({ operationId, requestBody = {}, responses }) =>
    Object.entries({ request: requestBody, ...responses }).flatMap(([part, { content = {} }]) =>
      Object.values(content).map(media => ({
        operationId,
        part,
        media,
        schema: JSON.stringify(media.schema)
      }))
    )
  )
  for (const { operationId, part, media, schema } of bodies) {
    media.example ??= own?.[operationId]?.[part] ?? common?.[operationId]?.[part]
    if (media.example !== undefined) recordedOf.set(schema, media.example)
  }
  for (const { media, schema } of bodies) media.example ??= recordedOf.get(schema)
  return operations
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

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import app from '../../app.ts'
import { serverOptions } from '../../config/fastify-options.ts'
import { loadConfig } from '../../config/index.ts'
import { startDevnet } from '../../packages/devnet/index.ts'
import { brandNames } from '../../schemas/brand.ts'
import { webhookDocument } from '../../schemas/document.ts'
import type { ResponseFormat } from '../../schemas/fee-quote.ts'

/** A JSON Schema, with the keywords that the tests read. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  examples?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  [keyword: string]: unknown
}

export interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}

/** A body's content by media type. */
type Content = Record<string, { schema: Schema; example?: unknown }>

export interface Operation {
  operationId: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, { content?: Content }>
  /** Set if the operation requires an API key. */
  security?: unknown[]
}

/** The parts of an OpenAPI 3.1 document that the service's document contains. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string }
  security: unknown[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, { content?: Content }> }
}

export interface NamedOperation extends Operation {
  path: string
  method: 'GET' | 'POST'
}

/** Replaces all references to schemas and responses in a part of a document, except those to the error schema. */
function resolved<T>(part: T, { schemas, responses }: OpenApiDocument['components']): T {
  const text = JSON.stringify(part, (_key, value) => {
    const [, kind, name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(value?.$ref ?? '') ?? []
    return name === 'ErrorBody' ? value : ((kind === 'responses' ? responses : schemas)[name] ?? value)
  })
  return JSON.parse(text)
}

export function operationsOf({ paths, components }: OpenApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...resolved(operation, components),
      path,
      method: method === 'post' ? 'POST' : 'GET'
    }))
  )
}

/** Returns the document of a ready application, with paths in alphabetical order. */
export function documentOf(server: FastifyInstance): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(server.swagger()))
  const paths = Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...document, paths: Object.fromEntries(paths) }
}

/** Returns the contents of the repository's documents by file, from servers with default settings. */
export async function currentDocuments() {
  const service = await currentDocument('documented')
  const { openapi, info } = service
  const title = `${info.title}: webhooks`
  const tags = [{ name: 'webhooks', description: 'Events that the service sends to `SERVICE_WEBHOOK_URL`' }]
  const webhooks = { openapi, info: { ...info, title }, tags, ...webhookDocument(brandNames('service')) }
  return {
    'openapi.json': service,
    'openapi-widget.json': await currentDocument('widget'),
    'openapi-webhooks.json': webhooks
  }
}

/** Returns the document of a server with default settings, except for the format. */
async function currentDocument(format: ResponseFormat): Promise<OpenApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'transaction-back-end-'))
  const devnet = await startDevnet()
  const settings = { LOG_LEVEL: 'silent', SERVICE_RESPONSE_FORMAT: format }
  const configuration = loadConfig({ ...devnet.env(), SERVICE_DATA_DIR: join(folder, 'data'), ...settings })
  const server: FastifyInstance = Fastify({ ...serverOptions(configuration.config), pluginTimeout: 0 })
  try {
    await server.register(app, configuration)
    await server.ready()
    return documentOf(server)
  } finally {
    await server.close()
    await devnet.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

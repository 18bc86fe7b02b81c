import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject } from '../../services/json.ts'
import { test } from '../helpers/tap.ts'
import { currentDocument, type NamedOperation, operationsOf, type Schema } from '../openapi/document.ts'

const document = await currentDocument()
const operations = operationsOf(document)

test('openapi.json is what the service serves', async t => {
  const written = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  const upToDate = JSON.stringify(JSON.parse(written)) === JSON.stringify(document)
  if (!upToDate) t.same(JSON.parse(written), document)
  t.ok(upToDate, 'npm run openapi updates the file')
})

test('it is an OpenAPI 3.1 document', async t => {
  t.match(document.openapi, /^3\.1\.\d+$/)
  t.match(document.info, { title: /./, version: /^\d+\.\d+\.\d+/ })
  for (const path of Object.keys(document.paths)) t.match(path, /^(\/([\w-]+|\{\w+\}))+$/)
  const known = document.tags.map(({ name }) => name)
  t.equal(new Set(known).size, known.length, 'tags are unique')
  const used = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)]
  t.same(new Set(used.flatMap(({ tags }) => tags)), new Set(known), 'each tag is declared and used')
  const ids = operations.map(({ operationId }) => operationId)
  t.equal(new Set(ids).size, ids.length, 'operationIds are unique')
})

test('a linter finds nothing in it', async t => {
  const config = await createConfig({ extends: ['recommended'] })
  const rulesBroken = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), config })).map(({ ruleId }) => ruleId)
  t.same(await rulesBroken(document), [])
  t.same(await rulesBroken({ ...document, servers: [] }), ['no-empty-servers'])
})

test('its schemas have names, under which generators make types', async t => {
  const named = [
    'Quote',
    'TransferRequest',
    'SwapRequest',
    'Submission',
    'TransferRecord',
    'Chain',
    'Token',
    'Pool',
    'Error',
    'ErrorCode',
    'SubmissionCommitted',
    'SubmissionRejected',
    'TransferFinished'
  ]
  const { schemas } = document.components
  t.same(
    named.filter(name => schemas[name] === undefined),
    []
  )
})

test('every property has a description, and every body of JSON a name or a list of one', t => {
  const undescribed: string[] = []
  function look(value: unknown, place: string): void {
    if (typeof value !== 'object' || value === null) return
    const { properties } = value as Schema
    for (const [name, property] of Object.entries(properties ?? {}))
      if (!('$ref' in property) && !('description' in property)) undescribed.push(`${place} ${name}`)
    for (const [key, inner] of Object.entries(value))
      if (!/^examples?$/.test(key)) look(inner, `${place}/${key}`)
  }
  look(document, '')
  t.same(undescribed, [])
  const anonymous = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap(part => {
        const schema = part?.content?.['application/json']?.schema
        return schema && !schema['$ref'] && !schema.items?.['$ref'] ? [`${operationId} ${path}`] : []
      })
    )
  )
  t.same(anonymous, [])
  t.end()
})

for (const operation of operations) {
  test(`${operation.method} ${operation.path}`, async t => {
    const { path, method, operationId, summary, description, parameters = [], requestBody } = operation
    t.match({ operationId, summary, description }, { operationId: /^\w+$/, summary: /./, description: /./ })

    const inPath = parameters.filter(parameter => parameter.in === 'path')
    const names = inPath.map(({ name }) => `{${name}}`).sort()
    t.same(names, [...(path.match(/\{\w+\}/g) ?? [])].sort(), 'its path has the declared parameters')
    t.ok(inPath.every(({ required }) => required))
    const keys = parameters.map(({ name, in: place }) => `${place} ${name}`)
    t.equal(new Set(keys).size, keys.length, 'parameters are unique')
    t.equal(requestBody !== undefined, method === 'POST', 'a POST has a body, other methods have none')

    const statuses = Object.keys(operation.responses)
    t.ok(
      statuses.every(status => /^[2-5]\d\d$/.test(status)),
      'each status is a number'
    )
    t.ok(
      statuses.some(status => status.startsWith('2')),
      'it can succeed'
    )
    for (const [status, response] of Object.entries(operation.responses)) {
      t.match(response, { description: /./ }, status)
      t.equal(
        response.content === undefined,
        ['204', '304'].includes(status),
        'only 204 and 304 have no body'
      )
      // A service that is not ready answers with its checks, not with an error.
      if (status >= '400' && `${operationId} ${status}` !== 'getReady 503') {
        const [schema] = Object.values(response.content ?? {}).map(content => content.schema)
        t.same(schema, { $ref: '#/components/schemas/Error' }, `${status} has the body of all errors`)
      }
    }
  })
}

const ajv = new Ajv2020({ strict: true, strictTypes: false })
formats.default(ajv)

const schemasOf = ({ parameters = [], requestBody, responses }: NamedOperation): Schema[] => [
  ...parameters.map(({ schema }) => schema),
  ...[requestBody, ...Object.values(responses)].flatMap(part =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema)
  )
]

/** A schema and all schemas within it. */
function within(schema: Schema): Schema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : [])
  ]
  return [schema, ...inner.flatMap(within)]
}

test('each schema is JSON Schema 2020-12, and its examples match it', async t => {
  for (const operation of operations) {
    for (const schema of schemasOf(operation).flatMap(within)) {
      if (schema['$ref'] !== undefined) continue
      const valid = ajv.compile(schema)
      for (const example of schema.examples ?? []) {
        t.ok(
          valid(example),
          `${operation.operationId}: ${JSON.stringify(example)} in ${JSON.stringify(schema)}`
        )
      }
    }
    for (const { schema, example } of operation.parameters ?? [])
      if (example !== undefined) t.ok(ajv.validate(schema, example), `${operation.operationId}: ${example}`)
  }
})

test('each request and each response has an example of its whole body, which its schema accepts', t => {
  ajv.addVocabulary(Object.keys(document))
  ajv.addSchema({ ...document, $id: 'openapi' })
  let bodies = 0
  function look(value: object, place: string): void {
    for (const [key, member] of Object.entries(value)) {
      if (!isObject(member)) continue
      const pointer = `${place}/${encodeURIComponent(key.replaceAll('/', '~1'))}`
      look(member, pointer)
      if (!place.endsWith('/content')) continue
      bodies++
      const isValid = ajv.validate(`${pointer}/schema`, 'example' in member ? member.example : undefined)
      t.ok(isValid, `${pointer}: ${ajv.errorsText()}`)
    }
  }
  look(document, 'openapi#')
  t.ok(bodies > 40)
  t.end()
})

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject } from '../../services/json.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { currentDocument, type NamedOperation, operationsOf, type Schema } from '../openapi/document.ts'

const document = await currentDocument()
const operations = operationsOf(document)

test('openapi.json matches the document that the server generates', async t => {
  const written = read('openapi.json')
  const upToDate = JSON.stringify(JSON.parse(written)) === JSON.stringify(document)
  if (!upToDate) t.same(JSON.parse(written), document)
  t.ok(upToDate, 'npm run openapi updates the file')
})

test('the document passes the OpenAPI linter', async t => {
  const config = await createConfig({ extends: ['recommended'] })
  const rulesBroken = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), config })).map(({ ruleId }) => ruleId)
  t.same(await rulesBroken(document), [])
  t.same(await rulesBroken({ ...document, servers: [] }), ['no-empty-servers'])
})

test('every property has a description, and every JSON body a named schema', t => {
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

const ajv = new Ajv2020({ strict: true, strictTypes: false })
formats.default(ajv)

const schemasOf = ({ parameters = [], requestBody, responses }: NamedOperation): Schema[] => [
  ...parameters.map(({ schema }) => schema),
  ...[requestBody, ...Object.values(responses)].flatMap(part =>
    Object.values(part?.content ?? {}).map(({ schema }) => schema)
  )
]

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

test('each request and response has a valid example of the whole body', t => {
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

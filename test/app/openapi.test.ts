import { createConfig, lintFromString } from '@redocly/openapi-core'
import { isObject } from '../../services/json.ts'
import { test } from '../helpers/tap.ts'
import { currentDocuments, type Schema } from '../openapi/document.ts'
import { invalidExamples } from '../openapi/invalid-examples.ts'

const documents = await currentDocuments()

test('the documents pass the OpenAPI linter', async t => {
  const config = await createConfig({ extends: ['recommended'] })
  const rulesBroken = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), config })).map(({ ruleId }) => ruleId)
  t.same(await rulesBroken(documents['openapi.json']), [])
  t.same(await rulesBroken(documents['openapi-widget.json']), [])
  // Whoever receives the webhooks is the server.
  t.same(await rulesBroken(documents['openapi-webhooks.json']), ['no-empty-servers'])
})

/** Lists objects and choices that are not components. Generators would name them after their place. */
function unnamed(value: unknown, place: string): string[] {
  if (!isObject(value)) return []
  const { anyOf, oneOf, allOf, properties, example: _, examples: __, ...others }: Schema = { ...value }
  const choices = [anyOf, oneOf, allOf].flatMap(each => (Array.isArray(each) ? [each] : []))
  const isNullable = choices.every(([, other, more]) => other?.type === 'null' && more === undefined)
  const isComponent = /^\w+\/schemas\/\w+$/.test(place)
  const own = (isObject(properties) || !isNullable) && !isComponent ? [place] : []
  const inside = Object.entries({ ...others, ...choices.flat(), ...properties })
  return [
    ...own,
    ...inside.flatMap(([key, member]) => unnamed(member, place === '' ? key : `${place}/${key}`))
  ]
}

test('generators find a name for every type', async t => {
  const string = { type: 'string' }
  const responses = { A: { schema: { anyOf: [string, { type: 'null' }] } }, B: { anyOf: [string, string] } }
  t.same(unnamed({ responses, schemas: { C: { properties: { d: { properties: {} } } } } }, 'components'), [
    'components/responses/B',
    'components/schemas/C/d'
  ])
  for (const { components, ...document } of Object.values(documents))
    t.same([...unnamed(document, ''), ...unnamed(components, 'components')], [])
})

test('a document describes one format', async t => {
  const { components } = documents['openapi.json']
  const { components: ofWidget } = documents['openapi-widget.json']
  const amount = (schemas: typeof components.schemas) => schemas['QuoteSide']?.properties?.['submitAmount']
  t.match(amount(components.schemas), { type: 'string' })
  t.strictSame(amount(ofWidget.schemas), { $ref: '#/components/schemas/Amount' })
  t.notMatch(JSON.stringify(documents), 'SERVICE_RESPONSE_FORMAT')
})

test('each request and response has a valid example of the whole body', async t => {
  const { invalid, bodies } = invalidExamples(documents)
  t.same(invalid, [])
  t.ok(bodies > 40)
})

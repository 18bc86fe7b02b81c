import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject } from '../../services/json.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { currentDocuments, type Schema } from '../openapi/document.ts'

const documents = await currentDocuments()

test('the files match the documents that servers generate', async t => {
  for (const [name, document] of Object.entries(documents)) {
    const written = read(name)
    const upToDate = JSON.stringify(JSON.parse(written)) === JSON.stringify(document)
    if (!upToDate) t.same(JSON.parse(written), document)
    t.ok(upToDate, `npm run openapi updates ${name}`)
  }
})

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

const ajv = new Ajv2020({ strict: true, strictTypes: false })
formats.default(ajv)

test('each request and response has a valid example of the whole body', t => {
  ajv.addVocabulary([...new Set(Object.values(documents).flatMap(Object.keys))])
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
  for (const [name, document] of Object.entries(documents)) {
    ajv.addSchema({ ...document, $id: name })
    look(document, `${name}#`)
  }
  t.ok(bodies > 40)
  t.end()
})

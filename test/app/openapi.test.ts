import { createConfig, lintFromString } from '@redocly/openapi-core'
import { test } from '../helpers/tap.ts'
import { currentDocuments } from '../openapi/document.ts'

const documents = await currentDocuments()

test('the OpenAPI documents pass the linter', async t => {
  const config = await createConfig({ extends: ['recommended'] })
  const rulesBroken = async (source: object) =>
    (await lintFromString({ source: JSON.stringify(source), config })).map(({ ruleId }) => ruleId)
  t.same(await rulesBroken(documents['openapi.json']), [])
  t.same(await rulesBroken(documents['openapi-widget.json']), [])
  // Whoever receives the webhooks is the server.
  t.same(await rulesBroken(documents['openapi-webhooks.json']), ['no-empty-servers'])
})

test('each OpenAPI document describes only one response format', async t => {
  const { components } = documents['openapi.json']
  const { components: ofWidget } = documents['openapi-widget.json']
  const amount = (schemas: typeof components.schemas) => schemas['QuoteSide']?.properties?.['submitAmount']
  t.match(amount(components.schemas), { type: 'string' })
  t.strictSame(amount(ofWidget.schemas), { $ref: '#/components/schemas/Amount' })
  t.notMatch(JSON.stringify(documents), 'SERVICE_RESPONSE_FORMAT')
})

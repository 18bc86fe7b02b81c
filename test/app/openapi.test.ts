import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { isObject } from '../../services/json.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'
import { currentDocument } from '../openapi/document.ts'

const document = await currentDocument()

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

const ajv = new Ajv2020({ strict: true, strictTypes: false })
formats.default(ajv)

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

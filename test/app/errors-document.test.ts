import { errorCatalogue } from '../../schemas/error-catalogue.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const document = read('docs/errors.md')

const entries = new Map(
  document
    .split(/^### /m)
    .slice(1)
    .map(entry => [entry.slice(0, entry.indexOf('\n')), entry.split(/^## /m, 1).join('')])
)

const flowing = (text: string) => text.replace(/\s*\n\s*/g, ' ')

test('docs/errors.md lists each error code once, with its status and retry advice', async t => {
  const rows = [...document.matchAll(/^\| \[`([A-Z_]+)`\]\(#([a-z_]+)\) \| (\d{3}) \| (.+) \| (.+) \|$/gm)]
  const expected = Object.entries(errorCatalogue).map(([code, { statusCode }]) => `${code} ${statusCode}`)
  t.strictSame(rows.map(([, code, , status]) => `${code} ${status}`).sort(), expected.sort())
  t.strictSame([...entries.keys()].sort(), Object.keys(errorCatalogue).sort())
  const verdicts = [...document.matchAll(/^\| (\w[a-z ]*) \| [A-Z].*\.\s*\|$/gm)].map(
    ([, verdict]) => verdict
  )
  for (const [, code = '', anchor, , retry, executed] of rows) {
    t.equal(anchor, code.toLowerCase())
    t.ok(verdicts.includes(retry), `${code}: retry ${retry}`)
    t.ok(executed === 'no' || executed === 'perhaps', `${code}: executed ${executed}`)
  }
})

test('each entry in docs/errors.md has the catalogue’s meaning, causes, advice and a valid example', async t => {
  for (const [code, { statusCode, meaning }] of Object.entries(errorCatalogue)) {
    const entry = entries.get(code) ?? ''
    t.ok(flowing(entry).startsWith(`${code} ${meaning} *Causes.* `), code)
    t.match(entry, '\n*What to do.* ', code)
    const [, example] = /```json\n([\s\S]*?)\n```/.exec(entry) ?? []
    if (example === undefined) continue
    const { message, details, customCode, ...body } = JSON.parse(example)
    t.strictSame(body, { code }, code)
    t.type(message, 'string', code)
    if (statusCode >= 500) t.equal(message, meaning, code)
    if (customCode !== undefined) t.equal(code, 'CUSTOM_VALIDATION')
    if (details !== undefined) t.match(details, [{ path: /^\//, message: String }], code)
  }
})

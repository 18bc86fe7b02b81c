import { type ErrorCode, errorCatalogue } from '../../schemas/error-catalogue.ts'
import { ServiceError } from '../../services/errors/index.ts'
import { errorResponse } from '../../services/http/error-response.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

test('docs/errors.md lists each error code once, with its status and whether to retry', async t => {
  const document = read('docs/errors.md')
  const rows = [
    ...document.matchAll(/^\| \[`([A-Z_]+)`\]\(#[a-z_]+\) \| (\d{3}) \| (.+) \| (no|perhaps) \|$/gm)
  ]
  const expected = Object.entries(errorCatalogue).map(([code, { statusCode }]) => `${code} ${statusCode}`)
  t.strictSame(rows.map(([, code, status]) => `${code} ${status}`).sort(), expected.sort())
  const verdicts = [...document.matchAll(/^\| (\w[a-z ]*) \| [A-Z].*\.\s*\|$/gm)].map(
    ([, verdict]) => verdict
  )
  for (const [, code = '', , retry] of rows) t.ok(verdicts.includes(retry), code)
  for (const code of Object.keys(errorCatalogue) as ErrorCode[]) {
    const { docUrl } = errorResponse(new ServiceError(code), 'request').body
    const [path = '', anchor] = docUrl.split('#')
    const headings = [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading?.toLowerCase())
    t.ok(headings.includes(anchor), docUrl)
  }
  const entries = [...document.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code)
  t.strictSame(entries.sort(), Object.keys(errorCatalogue).sort())
})

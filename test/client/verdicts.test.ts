import { ClientError } from '../../packages/client/errors.ts'
import { isRefusedUnread, isServiceCode, verdicts } from '../../packages/client/verdicts.ts'
import { errorCatalogue } from '../../schemas/error-catalogue.ts'
import { read } from '../helpers/repository.ts'
import { test } from '../helpers/tap.ts'

const text = read('docs/errors.md')
const rows = [...text.matchAll(/^\| \[`([A-Z_]+)`\].* \| (\d{3}) \| (.+) \| (.+) \|$/gm)]

test('docs/errors.md lists every error code, and the client handles it as described', async t => {
  const documented = rows.map(([, code, status, retry, executed]) => {
    const mayBeExecuted = executed === 'perhaps'
    if (status === '409') t.ok(mayBeExecuted, `${code}: by the other submission`)
    const verdict =
      retry === 'same' ? (mayBeExecuted ? 'unknown' : 'again') : mayBeExecuted ? 'exists' : 'refused'
    return [code, verdict]
  })
  t.same(Object.fromEntries(documented), verdicts)
  const codes = Object.entries(errorCatalogue).map(([code, { statusCode }]) => `${code} ${statusCode}`)
  t.strictSame(rows.map(([, code, status]) => `${code} ${status}`).sort(), codes.sort())
})

test('treats a rejection as final only where docs/errors.md does', async t => {
  const [, unread = ''] = /first 4xx is final\. (.*?) are sent before/s.exec(text) ?? []
  for (const [, code = '', status = ''] of rows) {
    if (!isServiceCode(code)) throw new Error(code)
    const error = new ClientError('', { code, status: Number(status), details: [] })
    t.equal(isRefusedUnread(error), unread.includes(`\`${code}\``) || unread.includes(` ${status}`), code)
  }
})

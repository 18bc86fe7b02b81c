import { createKycService } from '../../../services/providers/kyc.ts'
import { json, serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'

test('reports only the status of a provider’s error: its message might contain the key', async t => {
  const { url } = await serve(t, (_request, response) => json(response, { message: 'no such key: k3y' }, 403))
  const { records, close } = createKycService({ url, apiKey: 'k3y' })
  t.teardown(close)
  await t.rejects(records('7'), { code: 'UPSTREAM_ERROR', message: /^KYC provider: HTTP status 403$/ })
})

test('returns a record without a secret of this server', async t => {
  const record = { id: 1, status: 'sealed-letter', external_uuid: '7', created_at: 'sealed-letter' }
  const { url } = await serve(t, (_request, response) => json(response, record))
  const { records, close } = createKycService({ url: `${url}/?key=sealed-letter`, apiKey: 'k3y' })
  t.teardown(close)
  t.strictSame(await records('7'), [{ ...record, status: '[secret]', created_at: '[secret]' }])
})

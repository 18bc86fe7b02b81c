import { parseUpstreamUrl } from '../../../services/upstream/url.ts'
import { test } from '../../helpers/tap.ts'

test('appends paths and queries to the URL and keeps the URL’s query', async t => {
  const plain = parseUpstreamUrl('https://api.example')
  t.equal(plain.target('?a=1'), '/?a=1')
  const keyed = parseUpstreamUrl('https://api.example:8443/v1/0123456789abcdef/?key=s%20ecret')
  t.equal(keyed.origin, 'https://api.example:8443')
  t.equal(keyed.host, 'api.example:8443')
  t.equal(keyed.target(''), '/v1/0123456789abcdef?key=s%20ecret')
  t.equal(keyed.target('/fees?a=1'), '/v1/0123456789abcdef/fees?a=1&key=s%20ecret')
})

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

test('moves the URL’s credentials to a header', async t => {
  const { origin, headers } = parseUpstreamUrl('https://operator:p%40ss@api.example')
  t.equal(origin, 'https://api.example')
  t.same(headers, { authorization: `Basic ${Buffer.from('operator:p@ss').toString('base64')}` })
  t.same(parseUpstreamUrl('https://api.example').headers, {})
  const user = parseUpstreamUrl('https://token-alone@api.example')
  t.same(user.headers, { authorization: `Basic ${Buffer.from('token-alone:').toString('base64')}` })
  const unencoded = parseUpstreamUrl('https://operator:50%off@api.example')
  t.equal(unencoded.headers['authorization'], `Basic ${Buffer.from('operator:50%off').toString('base64')}`)
})

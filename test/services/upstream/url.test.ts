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

test('removes the URL’s secrets from strings, encoded or not', async t => {
  const { scrub } = parseUpstreamUrl(
    'https://operator:p%40ssword@api.example/rpc/0123456789abcdef?key=s%20ecret'
  )
  for (const text of ['operator', 'p%40ssword', 'p@ssword', '0123456789abcdef', 's%20ecret', 's ecret']) {
    t.equal(scrub(`cannot find ${text}.`), 'cannot find [secret].')
  }
  t.equal(scrub('POST /rpc/0123456789abcdef?key=s%20ecret not found'), 'POST [secret]?[secret] not found')
  t.equal(scrub('rpc error: code = NotFound'), 'rpc error: code = NotFound')
})

test('removes the credentials from any URL, even short credentials', t => {
  const { scrub } = parseUpstreamUrl('https://ab:cd@api.example')
  t.equal(scrub('no http://ab:cd@x/v1 and ws://key@y:80'), 'no http://[secret]@x/v1 and ws://[secret]@y:80')
  t.end()
})

test('removes the whole secret if it starts with another secret', async t => {
  const { scrub } = parseUpstreamUrl('https://sealed:sealed-letter@api.example/sealed-letters')
  t.equal(scrub('sealed-letters, sealed-letter, sealed'), '[secret], [secret], [secret]')
})

test('removes secrets encoded for headers, JSON and other formats', async t => {
  const { scrub } = parseUpstreamUrl('https://user:quo%22ted@api.example/?key=a/secret')
  for (const text of [Buffer.from('user:quo"ted').toString('base64'), 'quo\\"ted', 'a%2Fsecret']) {
    t.equal(scrub(`cannot find ${text}.`), 'cannot find [secret].')
  }
})

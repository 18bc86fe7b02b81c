import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { LISTINGS, throughProxy } from '../../helpers/chain-api.ts'
import { patientGet } from '../../helpers/patient-fetch.ts'
import { test } from '../../helpers/tap.ts'

const URLS = [...LISTINGS, '/chains/env']

test('returns 304 without a body to a client that has the current response', async t => {
  const { server } = await throughProxy(t)
  for (const url of URLS) {
    const first = await patientGet(server, url)
    const { etag } = first.headers
    t.match(first.headers, { 'cache-control': 'public, max-age=10', vary: 'Origin, accept-encoding' }, url)
    for (const known of [etag, `"other", ${etag}`, String(etag).replace('W/', ''), '*']) {
      const again = await server.inject({ url, headers: { 'if-none-match': known } })
      t.equal(again.statusCode, 304, `${url} for ${known}`)
      t.equal(again.body, '')
      t.match(again.headers, { etag, age: /^\d+$/, 'cache-control': 'public, max-age=10' })
    }
    for (const unknown of ['"other"', '"a,*,b"', 'W/*', `"a", *`, `"other,${String(etag).slice(3)}`]) {
      const other = await server.inject({ url, headers: { 'if-none-match': unknown } })
      t.equal(other.statusCode, 200, `${url} for ${unknown}`)
      t.equal(other.body, first.body)
    }
  }
  const url = '/chains/get_available_chains/XYZ'
  t.equal((await server.inject({ url, headers: { 'if-none-match': '*' } })).statusCode, 404)
})

test('compresses responses for clients that accept it', async t => {
  const { server } = await throughProxy(t)
  const plain = await server.inject('/chains')
  t.equal(plain.headers['content-encoding'], undefined)
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
  const wishes: [string, keyof typeof decoders | undefined][] = [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined]
  ]
  for (const [accepted, encoding] of wishes) {
    const { headers, rawPayload } = await server.inject({
      url: '/chains',
      headers: { 'accept-encoding': accepted }
    })
    t.equal(headers['content-encoding'], encoding, accepted)
    t.equal(headers['content-length'], String(rawPayload.length))
    t.equal(headers.etag, plain.headers.etag)
    const decoded = encoding === undefined ? rawPayload : decoders[encoding](rawPayload)
    t.equal(decoded.toString(), plain.body)
  }
  const short = await server.inject({ url: '/chains/env', headers: { 'accept-encoding': 'br' } })
  t.equal(short.headers['content-encoding'], undefined, 'a short response is not compressed')
})

import { createOriginMatcher, parseOriginPattern } from '../../../services/http/origins.ts'
import { test } from '../../helpers/tap.ts'

const CASES: [entry: string, listed: string, others: string][] = [
  ['shop.example', 'https://shop.example:8443', 'http://shop.example https://a.shop.example'],
  ['shop.example', 'https://shop.example', 'https://shop.example.evil https://a@shop.example null'],
  ['shop.example', 'https://shop.example', 'https://shop.example/ shop.example'],
  ['https://shop.example:0443', 'https://shop.example', 'https://shop.example:8443 http://shop.example'],
  ['HTTP://Shop.Example:8080/', 'http://shop.example:8080', 'https://shop.example:8080'],
  ['bücher.example', 'https://xn--bcher-kva.example', 'https://bcher.example'],
  ['http://[::1]:3000', 'http://[::1]:3000', 'http://[::1] http://[::2]:3000'],
  ['Capacitor://LocalHost', 'capacitor://localhost:8080', 'ionic://localhost https://localhost'],
  ['Capacitor://LocalHost', 'capacitor://localhost', 'capacitor://localhost/ capacitor://a@localhost'],
  ['ionic://localhost:8080', 'ionic://localhost:8080', 'ionic://localhost']
]
test('an entry matches its own origins and no others', async t => {
  for (const [entry, listed, others] of CASES) {
    const matches = createOriginMatcher([entry])
    for (const origin of listed.split(' ')) t.ok(matches(origin), `${entry}: ${origin}`)
    for (const origin of others.split(' ')) t.notOk(matches(origin), `${entry}: ${origin}`)
  }
})

test('rejects entries that contain more than an origin', async t => {
  const entries = ['', '*.shop.example', 'shop.example/path', 'shop.example?a', 'a@shop.example']
  for (const entry of [...entries, 'ftp://shop.example', 'shop.example:99999', 'shop.example:']) {
    t.equal(parseOriginPattern(entry), undefined, entry)
  }
})

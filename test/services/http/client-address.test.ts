import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { createClientAddress, type TrustedProxies } from '../../../services/http/client-address.ts'
import { test } from '../../helpers/tap.ts'

/** The client of a request from an address with an `X-Forwarded-For`. */
function clientOf(trusted: TrustedProxies, remoteAddress: string, forwarded?: string): string {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded
  return createClientAddress(trusted)(request)
}

const list = ['10.0.0.0/8', '2001:db8:ffff::/48', 'loopback']

const CASES: [
  what: string,
  trusted: TrustedProxies,
  from: string,
  forwarded: string | undefined,
  client: string
][] = [
  ['nobody is trusted', false, '10.0.0.1', '192.0.2.1', '10.0.0.1'],
  ['IPv4 in the form of IPv6 is IPv4', false, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['no header', list, '10.0.0.1', undefined, '10.0.0.1'],
  ['an empty header', list, '10.0.0.1', ' , ,', '10.0.0.1'],
  ['a connection of no proxy', list, '192.0.2.9', '192.0.2.1', '192.0.2.9'],
  ['one proxy', list, '10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a proxy that connects by IPv4 in the form of IPv6', list, '::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['a proxy at an IPv6 address', list, '2001:db8:ffff::1', '192.0.2.1', '192.0.2.1'],
  ['a proxy of a named range', list, '::1', '192.0.2.1', '192.0.2.1'],
  ['two proxies', list, '10.0.0.1', '192.0.2.1, 10.0.0.2', '192.0.2.1'],
  ['what the client wrote', list, '10.0.0.1', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
  [
    'what the client wrote before two proxies',
    list,
    '10.0.0.1',
    '198.51.100.7,192.0.2.1,10.0.0.2',
    '192.0.2.1'
  ],
  ['empty entries', list, '10.0.0.1', '198.51.100.7,, 192.0.2.1 , ,', '192.0.2.1'],
  ['proxies alone', list, '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['everybody is trusted', true, '10.0.0.1', '198.51.100.7, 192.0.2.1', '198.51.100.7'],
  ['a port', list, '10.0.0.1', '192.0.2.1:5678', '192.0.2.1'],
  ['a port of a proxy', list, '10.0.0.1', '192.0.2.1:1, 10.0.0.2:2', '192.0.2.1'],
  ['a port of IPv6', list, '10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['brackets', list, '10.0.0.1', '[2001:db8::1]', '2001:db8::1'],
  ['a zone', list, '10.0.0.1', 'fe80::1%eth0', 'fe80::1'],
  ['a zone in brackets', list, '10.0.0.1', '[fe80::1%25eth0]:1', 'fe80::1'],
  ['another spelling', list, '10.0.0.1', '2001:0DB8:0:0:0:0:0:0001', '2001:db8::1'],
  ['IPv4 at the end of IPv6', list, '10.0.0.1', '2001:db8::192.0.2.1', '2001:db8::c000:201'],
  ['IPv4 in the form of IPv6, from a proxy', list, '10.0.0.1', '[::FFFF:C000:0201]:9', '192.0.2.1'],
  ['a proxy in another spelling', list, '10.0.0.1', '192.0.2.1, ::ffff:10.0.0.2', '192.0.2.1'],
  ['no address', list, '10.0.0.1', 'unknown', '10.0.0.1'],
  ['no address after an address', list, '10.0.0.1', '192.0.2.1, _hidden', '10.0.0.1'],
  ['no address before a proxy', list, '10.0.0.1', 'unknown, 10.0.0.2', '10.0.0.2'],
  ['an octal number', list, '10.0.0.1', '192.0.2.01', '10.0.0.1'],
  ['an address with a path', list, '10.0.0.1', '192.0.2.1/24', '10.0.0.1'],
  ['a port that is none', list, '10.0.0.1', '192.0.2.1:x', '10.0.0.1'],
  ['IPv4 in brackets', list, '10.0.0.1', '[192.0.2.1]', '10.0.0.1'],
  ['a long text', list, '10.0.0.1', `fe80::1%${'a'.repeat(1000)}`, '10.0.0.1'],
  ['a list of bytes', list, '10.0.0.1', '\xff\x00', '10.0.0.1'],
  ['one proxy by count', 1, '203.0.113.1', '198.51.100.7, 192.0.2.1', '192.0.2.1'],
  ['two proxies by count', 2, '203.0.113.1', '198.51.100.7, 192.0.2.1, 203.0.113.2', '192.0.2.1'],
  ['fewer entries than the count', 2, '203.0.113.1', '192.0.2.1', '192.0.2.1'],
  ['no header with a count', 2, '203.0.113.1', undefined, '203.0.113.1'],
  ['no address at the place of the client', 2, '203.0.113.1', 'x, 203.0.113.2', '203.0.113.2'],
  ['no address at the place of a proxy', 2, '203.0.113.1', '192.0.2.1, x', '203.0.113.1'],
  ['ports with a count', 2, '203.0.113.1', '192.0.2.1:80, [2001:db8::1]:81', '192.0.2.1'],
  ['a mapped range', ['::ffff:10.0.0.0/104'], '10.0.0.1', '192.0.2.1', '192.0.2.1']
]
for (const [what, trusted, from, forwarded, client] of CASES) {
  test(`the client of ${what} is ${client}`, async t => {
    t.equal(clientOf(trusted, from, forwarded), client)
  })
}

test('a connection that is closed already has no address', async t => {
  t.equal(createClientAddress(1)(new IncomingMessage(new Socket())), '')
})

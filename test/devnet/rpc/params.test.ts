import { fromHex, toUtf8 } from '@cosmjs/encoding'
import { test } from 'tap'
import { jsonParams } from '../../../devnet/rpc/params/json-params.ts'
import { uriParams } from '../../../devnet/rpc/params/uri-params.ts'

const named = (params: unknown) => jsonParams(params, ['a', 'b'])
const uri = (query: string) => uriParams(new URLSearchParams(query))

test('JSON parameters by name: integers and bytes are strings, as on a node', async t => {
  const params = named({ height: '5', prove: true, hash: 'q80=', data: 'ABcd', query: 'x', nothing: null })
  t.equal(params.int('height'), 5)
  t.equal(params.bool('prove'), true)
  t.strictSame(params.bytes('hash'), fromHex('abcd'))
  t.strictSame(params.hex('data'), fromHex('abcd'))
  t.equal(params.string('query'), 'x')
  t.equal(params.int('nothing'), undefined)
  t.equal(params.string('absent'), undefined)
  t.equal(params.bool('absent'), false)
  t.equal(named({ height: '-3' }).int('height'), -3)
})

test('JSON parameters by position must be complete', async t => {
  t.equal(named(['x', '7']).int('b'), 7)
  t.throws(() => named(['x']), { code: -32602, message: /expected 2 parameters \(\[a b\]\), got 1/ })
  t.throws(() => named('x'), { code: -32602, message: /Expected map or array/ })
  t.equal(named(null).int('b'), undefined)
})

test('a JSON parameter of another type is named in the error', async t => {
  t.throws(() => named({ a: 5 }).int('a'), {
    code: -32602,
    message: /a: expected an integer encoded as a string, got 5/
  })
  t.throws(() => named({ a: '5x' }).int('a'), { code: -32602, message: /a: invalid integer "5x"/ })
  t.throws(() => named({ a: '9'.repeat(18) }).int('a'), {
    code: -32602,
    message: /a: integer 9+ is out of range/
  })
  t.throws(() => named({ a: 'true' }).bool('a'), { code: -32602, message: /a: expected a boolean/ })
  t.throws(() => named({ a: '#' }).bytes('a'), { code: -32602, message: /a: illegal base64 data/ })
  t.throws(() => named({ a: 'zz' }).hex('a'), { code: -32602, message: /a: illegal hex data/ })
  t.throws(() => named({ a: {} }).string('a'), { code: -32602, message: /a: expected a string/ })
})

test('URI parameters: bare numbers, quoted strings, 0x hex', async t => {
  const params = uri(
    'height=5&quoted="6"&prove=true&query="a=\'b\'"&hash=0xabCD&data="raw"&text=0x6869&empty='
  )
  t.equal(params.int('height'), 5)
  t.equal(params.int('quoted'), 6)
  t.equal(params.bool('prove'), true)
  t.equal(params.string('query'), "a='b'")
  t.equal(params.string('text'), 'hi')
  t.strictSame(params.bytes('hash'), fromHex('abcd'))
  t.strictSame(params.hex('data'), toUtf8('raw'))
  t.equal(params.string('empty'), undefined)
  t.equal(params.bool('absent'), false)
})

test('a URI parameter of another type is named in the error', async t => {
  t.throws(() => uri('a=x').string('a'), {
    code: -32602,
    message: /a: expected a string in double quotes or 0x hex/
  })
  t.throws(() => uri('a=x').int('a'), { code: -32602, message: /a: invalid integer "x"/ })
  t.throws(() => uri('a=1').bool('a'), { code: -32602, message: /a: expected true or false, got 1/ })
  t.throws(() => uri('a=0xz').bytes('a'), { code: -32602, message: /a: illegal hex data/ })
})

import { fromHex, toUtf8 } from '@cosmjs/encoding'
import { jsonParams } from '../../../devnet/rpc/params/json-params.ts'
import type { ParamType } from '../../../devnet/rpc/params/params.ts'
import { uriParams } from '../../../devnet/rpc/params/uri-params.ts'
import { test } from '../../helpers/tap.ts'

const TYPES = {
  height: 'int64',
  quoted: 'int',
  prove: 'bool',
  hash: '[]uint8',
  data: 'hex',
  query: 'string'
} as const
const named = (params: unknown) => jsonParams(params, TYPES)
const uri = (query: string) => uriParams(new URLSearchParams(query), TYPES)

test('JSON parameters by name: integers and bytes are strings, as on a node', async t => {
  const params = named({ height: '5', prove: true, hash: 'q80=', data: 'ABcd', query: 'x', quoted: null })
  t.equal(params.int('height'), 5)
  t.equal(params.bool('prove'), true)
  t.strictSame(params.bytes('hash'), fromHex('abcd'))
  t.strictSame(params.bytes('data'), fromHex('abcd'))
  t.equal(params.string('query'), 'x')
  t.equal(params.int('quoted'), undefined)
  t.equal(named({}).string('query'), undefined)
  t.equal(named({}).bool('prove'), false)
  t.equal(named({ height: '-3' }).int('height'), -3)
})

test('JSON parameters by position must be complete', async t => {
  const positional = (params: unknown) => jsonParams(params, { a: 'string', b: 'int' })
  t.equal(positional(['x', '7']).int('b'), 7)
  t.throws(() => positional(['x']), { message: 'expected 2 parameters ([a b]), got 1 ([[34 120 34]])' })
  t.throws(() => positional('x'), { message: /cannot unmarshal string .* Expected map or array/ })
  t.equal(positional(null).int('b'), undefined)
})

test('a node panics without params for a method that has some', async t => {
  t.throws(() => named(undefined), {
    name: 'RpcPanic',
    message: 'reflect: Call with too few input arguments'
  })
  t.equal(jsonParams(undefined, {}).int('a'), undefined)
})

test('a JSON parameter of another type is refused in the words of a node', async t => {
  const refused = (type: ParamType, value: unknown, message: string) =>
    t.throws(() => jsonParams({ a: value }, { a: type }), { name: 'ParamError', message })
  refused('int', 5, 'invalid 64-bit integer encoding "5", expected string')
  refused('int', '5x', "invalid character 'x' after top-level value")
  refused('int', '', 'unexpected end of JSON input')
  refused('int64', '1.5', 'json: cannot unmarshal number 1.5 into Go value of type int64')
  refused(
    'int64',
    '9'.repeat(20),
    `json: cannot unmarshal number ${'9'.repeat(20)} into Go value of type int64`
  )
  refused('uint', '-1', 'json: cannot unmarshal number -1 into Go value of type uint')
  refused('bool', 'true', 'json: cannot unmarshal string into Go value of type bool')
  refused('[]uint8', '#', 'illegal base64 data at input byte 0')
  refused('[]uint8', 'AAAAA', 'illegal base64 data at input byte 4')
  refused('types.Tx', 5, 'json: cannot unmarshal number into Go value of type types.Tx')
  refused('hex', 'zz', "encoding/hex: invalid byte: U+007A 'z'")
  refused('hex', 'abc', 'encoding/hex: odd length hex string')
  refused('hex', 5, 'invalid hex string: 5')
  refused('string', {}, 'json: cannot unmarshal object into Go value of type string')
})

test('URI parameters: bare numbers, quoted strings, 0x hex', async t => {
  const params = uri('height=5&quoted="6"&prove=true&query="a=\'b\'"&hash=0xabCD&data="raw"')
  t.equal(params.int('height'), 5)
  t.equal(params.int('quoted'), 6)
  t.equal(params.bool('prove'), true)
  t.equal(params.string('query'), "a='b'")
  t.equal(uri('query=0x6869').string('query'), 'hi')
  t.strictSame(params.bytes('hash'), fromHex('abcd'))
  t.strictSame(params.bytes('data'), toUtf8('raw'))
  t.equal(uri('query=').string('query'), undefined)
  t.equal(uri('').bool('prove'), false)
})

test('a URI parameter of another type is refused in the words of a node', async t => {
  t.throws(() => uri('query=x'), { message: "invalid character 'x' looking for beginning of value" })
  t.throws(() => uri('height=x'), { message: 'invalid 64-bit integer encoding "x", expected string' })
  t.throws(() => uri('height=0x5'), { message: "got a hex string arg, but expected 'int64'" })
  t.throws(() => uri('prove=1'), { message: 'json: cannot unmarshal number into Go value of type bool' })
  t.throws(() => uri('hash=0xz'), { message: "encoding/hex: invalid byte: U+007A 'z'" })
})

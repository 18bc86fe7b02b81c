import { parseFirstGoJson, parseGoJson } from '../../../devnet/rpc/go-json.ts'
import { test } from '../../helpers/tap.ts'

test('what is JSON is parsed', async t => {
  for (const text of [
    '{"a":[1,-2.5e+3,true,false,null,"x\\u00e9\\n"],"b":{}}',
    ' [] ',
    '0',
    '"\u00e9"',
    '-0.1E5'
  ]) {
    t.strictSame(parseGoJson(text), JSON.parse(text))
  }
  t.strictSame(parseFirstGoJson(' {"a":1} {"b":'), { a: 1 })
})

test('what is not is refused with the character and the place, as Go says it', async t => {
  const refused = (text: string, message: string) =>
    t.throws(() => parseGoJson(text), { name: 'GoJsonError', message })
  refused('['.repeat(20_000), "invalid character '[' exceeded max depth")
  refused('', 'unexpected end of JSON input')
  refused('{"a":1', 'unexpected end of JSON input')
  refused('"abc', 'unexpected end of JSON input')
  refused('hello', "invalid character 'h' looking for beginning of value")
  refused("'1'", "invalid character '\\'' looking for beginning of value")
  refused('1 x', "invalid character 'x' after top-level value")
  refused('01', "invalid character '1' after top-level value")
  refused('nothing', "invalid character 'o' in literal null (expecting 'u')")
  refused('{a:1}', "invalid character 'a' looking for beginning of object key string")
  refused('{"a" 1}', "invalid character '1' after object key")
  refused('{"a":1 "b"}', "invalid character '\"' after object key:value pair")
  refused('[1 2]', "invalid character '2' after array element")
  refused('-x', "invalid character 'x' in numeric literal")
  refused('1.x', "invalid character 'x' after decimal point in numeric literal")
  refused('1ex', "invalid character 'x' in exponent of numeric literal")
  refused('"\n"', "invalid character '\\n' in string literal")
  refused('"\\x"', "invalid character 'x' in string escape code")
  refused('"\\u00zz"', "invalid character 'z' in \\u hexadecimal character escape")
})

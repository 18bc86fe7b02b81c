import type { OptionsInput } from '../../../services/requests/options.ts'
import { cryptoOptions } from '../../../services/requests/options.ts'
import { test } from '../../helpers/tap.ts'

const read = (input: OptionsInput) => {
  const { feeId, text } = cryptoOptions(input)
  return { feeId, options: JSON.parse(text) }
}

test('options with a feeId and a signature are valid', async t => {
  const options = { feeId: 'f-1', signature: '0xabc', chargeFeeAtTarget: true, newer: { deep: [1] } }
  t.same(read({ options: JSON.stringify(options) }), { feeId: 'f-1', options })
})

test('body fields are merged into the options', async t => {
  t.same(read({ options: '{"newer":1}', feeId: 'f-1', signature: '0xabc', message: 'I approve' }), {
    feeId: 'f-1',
    options: { newer: 1, feeId: 'f-1', signature: '0xabc', message: 'I approve' }
  })
  const same = '{"feeId":"f-1","signature":"0xabc","message":"I approve"}'
  t.equal(cryptoOptions({ options: same, feeId: 'f-1', signature: '0xabc', message: 'I approve' }).text, same)
  t.equal(
    cryptoOptions({ options: same, feeId: '', signature: '', message: '' }).text,
    same,
    'an empty field counts as missing'
  )
  t.equal(
    cryptoOptions({ options: '{"feeId":"","signature":"s"}', feeId: 'f-1' }).feeId,
    'f-1',
    'an empty option as well'
  )
})

const nested = (levels: number) => {
  const lists = levels - 1
  return `{"feeId":"f","signature":"s","x":${'['.repeat(lists)}${']'.repeat(lists)}}`
}

test('a feeId has up to 255 characters, and options have up to 32 levels', async t => {
  const feeId = 'f'.repeat(255)
  t.equal(cryptoOptions({ options: JSON.stringify({ feeId, signature: 's' }) }).feeId, feeId)
  t.equal(cryptoOptions({ options: nested(32) }).text, nested(32))
})

const WRONG: [string, OptionsInput, string][] = [
  ...[
    '\u0007',
    '\u007f',
    '\u009b2J',
    '\u202e',
    '\u2066',
    '\u2028',
    '\u200b',
    '\u00ad',
    '\ufeff',
    '\u{e0041}'
  ].map((character): [string, OptionsInput, string] => [
    `a feeId with U+${character.codePointAt(0)?.toString(16)}`,
    { options: JSON.stringify({ feeId: `f${character}`, signature: 's' }) },
    '/options/feeId'
  ]),
  ['no JSON', { options: 'feeId=1' }, '/options'],
  ['half a JSON', { options: '{"feeId":"f"' }, '/options'],
  ['a JSON array', { options: '[]' }, '/options'],
  ['a JSON text', { options: '"f"' }, '/options'],
  ['null', { options: 'null' }, '/options'],
  [
    'nesting far too deep',
    { options: `{"feeId":"f","signature":"s","x":${'['.repeat(8000)}${']'.repeat(8000)}}` },
    '/options'
  ],
  ['33 levels', { options: nested(33) }, '/options'],
  ['no feeId', { options: '{"signature":"s"}' }, '/options/feeId'],
  ['an empty feeId', { options: '{"feeId":"","signature":"s"}' }, '/options/feeId'],
  ['a feeId that is a number', { options: '{"feeId":7,"signature":"s"}' }, '/options/feeId'],
  [
    'a feeId that is too long',
    { options: `{"feeId":"${'f'.repeat(256)}","signature":"s"}` },
    '/options/feeId'
  ],
  ['no signature', { options: '{"feeId":"f"}' }, '/options/signature'],
  ['an empty signature', { options: '{"feeId":"f","signature":""}' }, '/options/signature'],
  ['a signature that is an object', { options: '{"feeId":"f","signature":{}}' }, '/options/signature'],
  [
    'a message that is a number',
    { options: '{"feeId":"f","signature":"s","message":1}' },
    '/options/message'
  ],
  ['another feeId beside', { options: '{"feeId":"f","signature":"s"}', feeId: 'g' }, '/feeId'],
  ['another signature beside', { options: '{"feeId":"f","signature":"s"}', signature: 'x' }, '/signature'],
  [
    'another message beside',
    { options: '{"feeId":"f","signature":"s","message":"m"}', message: 'n' },
    '/message'
  ],
  ['a feeId in another case', { options: '{"feeId":"f","signature":"s","FEEID":"g"}' }, '/options/FEEID'],
  [
    'a choice of side in another case',
    { options: '{"feeId":"f","signature":"s","chargefeeattarget":true}' },
    '/options/chargefeeattarget'
  ],
  [
    'a letter that is an S too',
    { options: '{"feeId":"f","signature":"s","ſignature":"t"}' },
    '/options/ſignature'
  ],
  [
    'a number that is rounded',
    { options: '{"feeId":"f","signature":"s","x":["\\"",9007199254740993]}' },
    '/options/x/1'
  ],
  [
    'a fraction that is rounded',
    { options: '{"feeId":"f","signature":"s","x":0.12345678901234567890}' },
    '/options/x'
  ],
  ['a number that is too large', { options: '{"feeId":"f","signature":"s","x":-1e400}' }, '/options/x'],
  [
    'a name that is there twice',
    { options: '{"feeId":"f","signature":"s","feeI\\u0064":"g"}' },
    '/options/feeId'
  ],
  ['null where a field is beside', { options: '{"feeId":null,"signature":"s"}', feeId: 'g' }, '/feeId']
]

for (const [name, input, path] of WRONG) {
  test(`options: ${name}`, async t => {
    t.throws(() => cryptoOptions(input), { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path }] })
  })
}

test('the chain gets the options that were checked', async t => {
  t.equal(
    cryptoOptions({ options: ' { "feeId" : "b", "signature": "s" } ' }).text,
    '{"feeId":"b","signature":"s"}'
  )
  t.equal(cryptoOptions({ options: '{"feeId":"f","signature":"s","__proto__":{"feeId":"g"}}' }).feeId, 'f')
  t.throws(() => cryptoOptions({ options: '{"__proto__":{"feeId":"g","signature":"s"}}' }), {
    code: 'OPTIONS_INVALID'
  })
})

test('the options may have any number that is passed on as it is, and any text', async t => {
  const numbers = '[0,-0,0.5,1.50,10,1e21,1.157920892373162e+77,5e-324,9007199254740992,-12e3]'
  const options = `{"feeId":"f","signature":"s","note":"9007199254740993 \\"1e400","x":${numbers}}`
  t.same(read({ options }).options, JSON.parse(options))
  t.equal(read({ options: '{"feeId":"f","signature":"s","fee":"1","id":7}' }).feeId, 'f', 'other names')
})

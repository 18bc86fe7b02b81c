import { test } from 'tap'
import { cryptoOptions } from '../../../services/requests/crypto-options.ts'
import type { OptionsInput } from '../../../services/requests/options.ts'

const read = (input: OptionsInput) => {
  const { feeId, text } = cryptoOptions(input)
  return { feeId, options: JSON.parse(text) }
}

test('options with a feeId and a signature are in order', async t => {
  const options = { feeId: 'f-1', signature: '0xabc', chargeFeeAtTarget: true, newer: { deep: [1] } }
  t.same(read({ options: JSON.stringify(options) }), { feeId: 'f-1', options })
})

test('the fields beside the options are merged into them', async t => {
  t.same(read({ options: '{"newer":1}', feeId: 'f-1', signature: '0xabc', message: 'I approve' }), {
    feeId: 'f-1',
    options: { newer: 1, feeId: 'f-1', signature: '0xabc', message: 'I approve' }
  })
  const same = '{"feeId":"f-1","signature":"0xabc","message":"I approve"}'
  t.equal(cryptoOptions({ options: same, feeId: 'f-1', signature: '0xabc', message: 'I approve' }).text, same)
  t.equal(
    cryptoOptions({ options: same, feeId: '', signature: '', message: '' }).text,
    same,
    'empty says nothing'
  )
  t.equal(
    cryptoOptions({ options: '{"feeId":"","signature":"s"}', feeId: 'f-1' }).feeId,
    'f-1',
    'there as well'
  )
})

const WRONG: [string, OptionsInput, string][] = [
  ['no JSON', { options: 'feeId=1' }, '/options'],
  ['half a JSON', { options: '{"feeId":"f"' }, '/options'],
  ['a JSON array', { options: '[]' }, '/options'],
  ['a JSON text', { options: '"f"' }, '/options'],
  ['null', { options: 'null' }, '/options'],
  [
    'nesting beyond all measure',
    { options: `{"feeId":"f","signature":"s","x":${'['.repeat(8000)}${']'.repeat(8000)}}` },
    '/options'
  ],
  ['no feeId', { options: '{"signature":"s"}' }, '/options/feeId'],
  ['an empty feeId', { options: '{"feeId":"","signature":"s"}' }, '/options/feeId'],
  ['a feeId that is a number', { options: '{"feeId":7,"signature":"s"}' }, '/options/feeId'],
  [
    'a feeId beyond all measure',
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
  ['null where a field is beside', { options: '{"feeId":null,"signature":"s"}', feeId: 'g' }, '/feeId']
]

for (const [name, input, path] of WRONG) {
  test(`options: ${name}`, async t => {
    t.throws(() => cryptoOptions(input), { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path }] })
  })
}

test('what is checked is what is sent', async t => {
  t.equal(
    cryptoOptions({ options: ' { "feeId" : "a", "signature": "s", "feeId": "b" } ' }).text,
    '{"feeId":"b","signature":"s"}',
    'a doubled key is sent once, as it was read'
  )
  t.equal(cryptoOptions({ options: '{"feeId":"f","signature":"s","__proto__":{"feeId":"g"}}' }).feeId, 'f')
  t.throws(() => cryptoOptions({ options: '{"__proto__":{"feeId":"g","signature":"s"}}' }), {
    code: 'OPTIONS_INVALID'
  })
})

import { type OptionsInput, cryptoOptions as optionsFrom } from '../../../services/requests/options.ts'
import { test } from '../../helpers/tap.ts'

const cryptoOptions = (input: OptionsInput, originChain = 'ETH') => optionsFrom(input, originChain)

const read = (input: OptionsInput) => {
  const { feeId, text } = cryptoOptions(input)
  return { feeId, options: JSON.parse(text) }
}

test('merges body fields into the options', async t => {
  t.same(read({ options: '{"newer":1}', feeId: 'f-1', signature: '0xabc', message: 'I approve' }), {
    feeId: 'f-1',
    options: { newer: 1, feeId: 'f-1', signature: '0xabc', message: 'I approve' }
  })
  const same = '{"feeId":"f-1","signature":"0xabc","message":"I approve"}'
  t.equal(cryptoOptions({ options: same, feeId: 'f-1', signature: '0xabc', message: 'I approve' }).text, same)
  const empty = { feeId: '', signature: '', message: '' }
  t.equal(cryptoOptions({ options: same, ...empty }).text, same, 'an empty body field counts as missing')
  const { feeId } = cryptoOptions({ options: '{"feeId":"","signature":"s"}', feeId: 'f-1' })
  t.equal(feeId, 'f-1', 'an empty option counts as missing')
})

const nested = (levels: number) => {
  const lists = levels - 1
  return `{"feeId":"f","signature":"s","x":${'['.repeat(lists)}${']'.repeat(lists)}}`
}

test('accepts a feeId of 255 characters, and options nested 32 levels deep', async t => {
  const feeId = 'f'.repeat(255)
  t.equal(cryptoOptions({ options: JSON.stringify({ feeId, signature: 's' }) }).feeId, feeId)
  t.equal(cryptoOptions({ options: nested(32) }).text, nested(32))
})

const PERMIT2 = { r: `0x${'1'.repeat(64)}`, s: `0x${'aB'.repeat(32)}`, v: 27, deadline: 1900000000 }
const withPermit2 = (permit2: unknown) => ({
  options: JSON.stringify({ feeId: 'f', signature: 's', permit2 })
})

test('accepts a Permit2 signature with numbers or digits, or none', async t => {
  const { deadline } = PERMIT2
  for (const changed of [{}, { v: 28 }, { v: '28' }, { deadline: `${deadline}` }])
    t.same(cryptoOptions(withPermit2({ ...PERMIT2, ...changed })).permit2, { deadline })
  for (const none of [undefined, null, '', {}]) t.equal(cryptoOptions(withPermit2(none)).permit2, undefined)
})

/** Invalid options or body fields, with the path in the error. */
const WRONG: [string, OptionsInput, string, originChain?: string][] = [
  ...['\u0007', '\u202e', '\u200b', '\u{e0041}'].map((character): [string, OptionsInput, string] => [
    `a feeId with U+${character.codePointAt(0)?.toString(16)}`,
    { options: JSON.stringify({ feeId: `f${character}`, signature: 's' }) },
    '/options/feeId'
  ]),
  ['a string that is not JSON', { options: 'feeId=1' }, '/options'],
  ['a JSON array', { options: '[]' }, '/options'],
  ['33 levels', { options: nested(33) }, '/options'],
  ['8,000 levels', { options: nested(8000) }, '/options'],
  ['a missing feeId', { options: '{"signature":"s"}' }, '/options/feeId'],
  ['a feeId with a space', { options: '{"feeId":"f 1","signature":"s"}' }, '/options/feeId'],
  ['a feeId of 256 characters', { options: `{"feeId":"${'f'.repeat(256)}"}` }, '/options/feeId'],
  ['an empty signature', { options: '{"feeId":"f","signature":""}' }, '/options/signature'],
  ...['SOL', 'TRX', 'XYZ'].map((chain): [string, OptionsInput, string, string] => [
    `0x as the signature of a user on ${chain}`,
    { options: '{"feeId":"f","signature":"0x"}' },
    '/options/signature',
    chain
  ]),
  [
    'a signature of 4,097 characters',
    { options: `{"feeId":"f","signature":"${'x'.repeat(4097)}"}` },
    '/options/signature'
  ],
  ['a signature that is an object', { options: '{"feeId":"f","signature":{}}' }, '/options/signature'],
  ['a message that is a number', { options: '{"feeId":"f","message":1}' }, '/options/message'],
  ['another feeId in the body', { options: '{"feeId":"f","signature":"s"}', feeId: 'g' }, '/feeId'],
  ['null with a feeId in the body', { options: '{"feeId":null,"signature":"s"}', feeId: 'g' }, '/feeId'],
  [
    'another signature in the body',
    { options: '{"feeId":"f","signature":"s"}', signature: 'x' },
    '/signature'
  ],
  ['another message in the body', { options: '{"feeId":"f","message":"m"}', message: 'n' }, '/message'],
  ...'FEEID Message Permit2 ChargeFeeAtTarget PaymentMethod TransactionIdSeed TransactionIdSignature'
    .split(' ')
    .map((name): [string, OptionsInput, string] => [
      `a known name in another case, ${name}`,
      { options: `{"feeId":"f","${name}":"g"}` },
      `/options/${name}`
    ]),
  ...['0xsigned', JSON.stringify(PERMIT2), [1], [], 1, false].map(
    (permit2): [string, OptionsInput, string] => [
      `${JSON.stringify(permit2)} as permit2`,
      withPermit2(permit2),
      '/options/permit2'
    ]
  ),
  ...Object.entries({
    r: [undefined, 'no', 1, '1'.repeat(64), `0x${'1'.repeat(63)}`, `0x${'1'.repeat(65)}`],
    s: [undefined, null, `0x${'g'.repeat(64)}`, [PERMIT2.s]],
    v: [undefined, 0, 1, 99, 27.5, '', '0x1b', [27]],
    deadline: [undefined, null, 0, -1, 1.5, Date.now(), '1e300', 1e300, 'tomorrow', '', [PERMIT2.deadline]]
  }).flatMap(([part, values]) =>
    values.map((value): [string, OptionsInput, string] => [
      `${JSON.stringify(value)} as ${part} of permit2`,
      withPermit2({ ...PERMIT2, [part]: value }),
      `/options/permit2/${part}`
    ])
  ),
  ['a known name with a long s (ſ)', { options: '{"feeId":"f","ſignature":"t"}' }, '/options/ſignature']
]

test('rejects invalid options and names the field', async t => {
  for (const [name, input, path, originChain] of WRONG)
    t.throws(
      () => cryptoOptions(input, originChain),
      { statusCode: 400, code: 'OPTIONS_INVALID', details: [{ path }] },
      name
    )
})

test('sends the checked options to the chain', async t => {
  t.equal(
    cryptoOptions({ options: ' { "feeId" : "b", "signature": "s" } ' }).text,
    '{"feeId":"b","signature":"s"}'
  )
  t.equal(cryptoOptions({ options: '{"feeId":"f","signature":"s","__proto__":{"feeId":"g"}}' }).feeId, 'f')
  t.throws(() => cryptoOptions({ options: '{"__proto__":{"feeId":"g","signature":"s"}}' }), {
    code: 'OPTIONS_INVALID'
  })
})

test('sends one value for each name, the last one, and only well-formed strings', async t => {
  const odd =
    '{"feeId":"f","signature":"s","a":1,"a":{"b":"\\ud800"},"x":1e400,"n":9007199254740993,"feeI\\u0064":"g"}'
  t.equal(
    cryptoOptions({ options: odd }).text,
    '{"feeId":"g","signature":"s","a":{"b":"\\ud800"},"x":null,"n":9007199254740992}'
  )
  t.equal(read({ options: '{"feeId":"f","signature":"s","fee":"1","id":7}' }).feeId, 'f', 'other names')
})

import fc from '../helpers/fast-check.ts'

/** Names with a meaning in JavaScript. */
export const prototypeKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then']

const wellKnown = [
  ...prototypeKeys,
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u202e0x742d35Cc6634C0532925a3b844Bc454e4438f44e',
  '\ufeff',
  'İıſK',
  '👩‍👩‍👧‍👦',
  '1e309',
  '-0',
  '0x10',
  '٣',
  'NaN',
  'null',
  'undefined',
  '[object Object]',
  '../../etc/passwd',
  '%00',
  "' OR 1=1 --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  'a\r\nx-injected: yes',
  '9'.repeat(400),
  'a'.repeat(40_000),
  '{"feeId":"x"}',
  'FIAT',
  'CC',
  'BANK',
  'SOL',
  'TRX',
  'BTC'
]

/** Any 16-bit units, halves of surrogate pairs included. */
const anyUnits = fc.array(fc.nat(0xffff), { maxLength: 40 }).map(units => String.fromCharCode(...units))

/** Texts that often break programs. */
export const hostileText = fc.oneof(fc.constantFrom(...wellKnown), anyUnits)

const nested = (open: string, close: string) =>
  fc.integer({ min: 2, max: 10_000 }).map(depth => `${open.repeat(depth)}0${close.repeat(depth)}`)

/** JSON texts of unexpected values; `JSON.stringify` could not write all of them. */
export const hostileJson = fc.oneof(
  hostileText.map(text => JSON.stringify(text)),
  fc.constantFrom('null', 'true', '0', '-0', '-1', '1.5', '1e21', '1e400', '9007199254740993', '[]', '{}'),
  fc.constantFrom('{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '[{}]'),
  nested('[', ']'),
  nested('{"a":', '}'),
  fc.json({ maxDepth: 4 })
)

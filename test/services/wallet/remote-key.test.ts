import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { Secp256k1, Secp256k1Signature } from '@cosmjs/crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { compressedKey, fromDer } from '../../../services/wallet/remote-key.ts'
import { test } from '../../helpers/tap.ts'

const ORDER = secp256k1.Point.Fn.ORDER
const HALF = ORDER / 2n

/** Encodes a number in DER with the fewest bytes, and a leading zero byte if the first bit is set. */
function integer(value: bigint): number[] {
  const digits = value.toString(16)
  const bytes = [...Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')]
  const padded = (bytes[0] ?? 0) >= 0x80 ? [0, ...bytes] : bytes
  return [2, padded.length, ...padded]
}

const sequence = (...content: number[]) => Uint8Array.from([0x30, content.length, ...content])
const der = (r: bigint, s: bigint) => sequence(...integer(r), ...integer(s))

/** Returns r and s as 64 bytes. */
const numbers = (signature: Uint8Array) =>
  [signature.subarray(0, 32), signature.subarray(32)].map(half =>
    BigInt(`0x${Buffer.from(half).toString('hex')}`)
  )

test('converts a DER signature of any length to 64 bytes with a low s', t => {
  const short = 2n ** 240n - 1n
  const top = 2n ** 255n + 5n
  for (const [r, s, low] of [
    [top, HALF, HALF],
    [top, HALF + 1n, HALF],
    [top, ORDER - 1n, 1n],
    [short, short, short],
    [1n, 1n, 1n],
    [ORDER - 1n, HALF - 1n, HALF - 1n]
  ] as const) {
    const signature = fromDer(der(r, s))
    t.equal(signature.length, 64)
    t.strictSame(numbers(signature), [r, low])
  }
  t.end()
})

test('accepts only strict DER that contains two numbers in the curve’s range', t => {
  const good = [...der(5n, 7n)]
  const bad: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    'r‖s': new Uint8Array(64).fill(1),
    'cut off': Uint8Array.from(good.slice(0, -1)),
    'one byte more': Uint8Array.from([...good, 0]),
    'a wrong length': Uint8Array.from([0x30, 7, ...good.slice(2)]),
    'no sequence': Uint8Array.from([0x31, ...good.slice(1)]),
    'a wrong tag for a number': sequence(3, 1, 5, ...integer(7n)),
    'an r of no bytes': sequence(2, 0, ...integer(7n)),
    'a negative r': sequence(2, 1, 0x80, ...integer(7n)),
    'an r with an extra zero byte': sequence(2, 2, 0, 5, ...integer(7n)),
    'three numbers': sequence(...integer(5n), ...integer(7n), ...integer(9n)),
    'an r of zero': der(0n, 7n),
    'an s of zero': der(5n, 0n),
    'an r equal to the order': der(ORDER, 7n),
    'an s equal to the order': der(5n, ORDER),
    'an s of 33 bytes': der(5n, 2n ** 257n)
  }
  for (const [name, bytes] of Object.entries(bad)) t.throws(() => fromDer(bytes), name)
  t.end()
})

test('converts OpenSSL signatures and keys to signatures and keys that the chain accepts', t => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const key = compressedKey(pem)
  t.same(compressedKey(publicKey.export({ format: 'der', type: 'spki' })), key)
  const highs = Array.from({ length: 40 }, (_, index) => {
    const message = Buffer.from([index])
    const given = sign('sha256', message, privateKey)
    const signature = Secp256k1Signature.fromFixedLength(fromDer(given))
    t.ok(verify('sha256', message, publicKey, Buffer.from(signature.toDer())))
    t.ok(Secp256k1.verifySignature(signature, createHash('sha256').update(message).digest(), key))
    return !Buffer.from(signature.toDer()).equals(given)
  })
  t.ok(highs.includes(true), 'some signatures had a high s')
  t.ok(highs.includes(false), 'some signatures had a low s')
  t.end()
})

test('rejects keys that are not secp256k1 keys', t => {
  for (const namedCurve of ['prime256v1', 'secp384r1']) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    t.throws(() => compressedKey(publicKey.export({ format: 'der', type: 'spki' })), /not a secp256k1 key/)
  }
  const { publicKey } = generateKeyPairSync('ed25519')
  t.throws(() => compressedKey(publicKey.export({ format: 'der', type: 'spki' })), /not a secp256k1 key/)
  for (const nothing of ['', 'no key', new Uint8Array(), new Uint8Array(88)])
    t.throws(() => compressedKey(nothing))
  t.end()
})

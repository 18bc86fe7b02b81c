import {
  Bip39,
  EnglishMnemonic,
  type HdPath,
  Secp256k1,
  Slip10,
  Slip10Curve,
  Slip10RawIndex
} from '@cosmjs/crypto'
import { makeCosmoshubPath } from '@cosmjs/proto-signing'
import fc from 'fast-check'
import { derivePrivateKey, publicKeyOf } from '../../../services/wallet/derivation.ts'
import { test } from '../../helpers/tap.ts'

const phrase = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain(length => fc.uint8Array({ minLength: length, maxLength: length }))
  .map(entropy => Bip39.encode(entropy).toString())

const keyByCosmJs = (seed: Uint8Array, path: HdPath) =>
  Slip10.derivePath(Slip10Curve.Secp256k1, seed, path).privkey

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the key of a phrase is the one that CosmJS derives', async t => {
  await fc.assert(
    fc.asyncProperty(phrase, async mnemonic => {
      const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
      const key = await derivePrivateKey(mnemonic)
      t.equal(hex(key), hex(keyByCosmJs(seed, makeCosmoshubPath(0))))
      t.equal(key.buffer.byteLength, 32, 'shares its memory with nothing')
      const { pubkey } = Secp256k1.makeKeypair(key)
      t.equal(hex(publicKeyOf(key)), hex(Secp256k1.compressPubkey(pubkey)))
    }),
    { numRuns: 30 }
  )
})

test('so is the key at any other path', async t => {
  const mnemonic = `${'abandon '.repeat(11)}about`
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
  const compare = async (path: number[]) => {
    const expected = keyByCosmJs(
      seed,
      path.map(number => new Slip10RawIndex(number))
    )
    t.equal(hex(await derivePrivateKey(mnemonic, path)), hex(expected), `m/${path.join('/')}`)
  }
  const index = fc.nat({ max: 2 ** 32 - 1 })
  await fc.assert(fc.asyncProperty(fc.array(index, { maxLength: 6 }), compare), { numRuns: 100 })
  // The keys at 696 and 2107 begin with a zero byte, which BIP-32 counts.
  for (const number of [696, 2107]) for (const next of [0, 2 ** 31]) await compare([number, next])
  t.match(hex(await derivePrivateKey(mnemonic, [696])), /^00/)
})

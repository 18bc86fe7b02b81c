import { poolAddress, tronAddress } from '../../../services/chains/pools.ts'
import { test } from '../../helpers/tap.ts'

const keys = {
  tssPubKey: '02604bd0d1d6049ba8f3cea0eddd2e3afc5ccc8af75d45db379db2c0e5f5486aca',
  ecdsa: '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7',
  eddsa: '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp',
  reserved: 'tb1qg02kssvwejvhr0xtkz9pzxak8x9r8vhd6umkq4'
}

test('each family has its own pool address', async t => {
  t.equal(poolAddress('EVM', keys), keys.ecdsa)
  t.equal(poolAddress('SOL', keys), keys.eddsa)
  t.equal(poolAddress('TRX', keys), tronAddress(keys.ecdsa))
  t.equal(poolAddress('BTC', keys), keys.reserved)
  t.equal(poolAddress('FIAT', keys), '')
  t.equal(poolAddress('BTC', { ...keys, reserved: '' }), '')
})

// The addresses of USDT and USDC on Tron, and the zero address, in both forms as explorers show them.
const PAIRS = [
  ['a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['0x3487b63D30B5B2C87fb7ffa8bcfaDE38EAAC1abe', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
  ['0000000000000000000000000000000000000000', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb']
]
for (const [hex = '', base58] of PAIRS) {
  test(`${base58} is a Tron address from its hex form`, async t => {
    t.equal(tronAddress(hex), base58)
    t.equal(tronAddress(hex.toUpperCase().replace(/^0X/, '0x')), base58)
  })
}

test('anything but 20 bytes in hex has no Tron address', async t => {
  for (const hex of [
    '',
    '0x',
    keys.tssPubKey,
    `41${keys.ecdsa.slice(2)}`,
    `${keys.ecdsa}0`,
    'T'.repeat(40)
  ]) {
    t.equal(tronAddress(hex), undefined, hex)
  }
  t.equal(poolAddress('TRX', { ...keys, ecdsa: keys.tssPubKey }), undefined)
})

test('a key that is not an address of its family gives no pool address', t => {
  for (const ecdsa of ['', keys.tssPubKey, keys.ecdsa.slice(2), `${keys.ecdsa}0`]) {
    t.equal(poolAddress('EVM', { ...keys, ecdsa }), undefined, ecdsa)
  }
  for (const eddsa of ['', keys.ecdsa, keys.eddsa.slice(2)]) {
    t.equal(poolAddress('SOL', { ...keys, eddsa }), undefined, eddsa)
  }
  t.end()
})

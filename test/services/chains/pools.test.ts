import { poolAddress, tronAddress } from '../../../services/chains/pools.ts'
import { test } from '../../helpers/tap.ts'

const keys = {
  tssPubKey: '02604bd0d1d6049ba8f3cea0eddd2e3afc5ccc8af75d45db379db2c0e5f5486aca',
  ecdsa: '0x7f9aBfFf70c64d4FA0aFaDfFA84576D7a69D56E7',
  eddsa: '445pK6Xbu56dGLvGoRY8m3WskAd3QChYxRmyh9nDEFjp',
  reserved: 'tb1qg02kssvwejvhr0xtkz9pzxak8x9r8vhd6umkq4'
}

// The Tron addresses of USDT and USDC, and the zero address, in both forms that block explorers show.
test('converts 20 hex bytes to a Tron address, and returns undefined for other values', async t => {
  for (const [hex, base58] of [
    ['a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['0x3487b63D30B5B2C87fb7ffa8bcfaDE38EAAC1abe', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
    ['0000000000000000000000000000000000000000', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['', undefined],
    [keys.tssPubKey, undefined],
    [`41${keys.ecdsa.slice(2)}`, undefined],
    ['T'.repeat(40), undefined]
  ] as const)
    t.equal(tronAddress(hex), base58, hex)
})

test('rejects a key that is not an address of its family', async t => {
  for (const ecdsa of ['', keys.tssPubKey, keys.ecdsa.slice(2), `${keys.ecdsa}0`])
    t.equal(poolAddress('EVM', { ...keys, ecdsa }), undefined, ecdsa)
  for (const eddsa of ['', keys.ecdsa, keys.eddsa.slice(2)])
    t.equal(poolAddress('SOL', { ...keys, eddsa }), undefined, eddsa)
})

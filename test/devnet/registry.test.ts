import { keccak256, sha256 } from '@cosmjs/crypto'
import { toHex, toUtf8 } from '@cosmjs/encoding'
import { base58 } from '@scure/base'
import { gasCosts } from '../../packages/devnet/fees/prices.ts'
import { chains } from '../../packages/devnet/registry/chains.ts'
import { poolBalances, poolKeys } from '../../packages/devnet/registry/pools.ts'
import { test } from '../helpers/tap.ts'

/** Applies the EIP-55 checksum: the hash of the lower-case address determines the case of each letter. */
function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = toHex(keccak256(toUtf8(digits)))
  return `0x${[...digits].map((digit, i) => (Number(`0x${hash[i]}`) >= 8 ? digit.toUpperCase() : digit)).join('')}`
}

test('the registry lists all chains, each with a gas cost', t => {
  const names = 'ARB AVX BASE BERA BSC BTC CFX ETH FIAT OPT POL SOL TRX WLD'.split(' ')
  t.strictSame(
    chains.map(chain => chain.symbol),
    names
  )
  t.strictSame(Object.keys(gasCosts).sort(), names)
  t.strictSame(
    poolBalances.map(pool => pool.chainName),
    names.filter(name => name !== 'FIAT')
  )
  t.end()
})

test('addresses are valid for their chain', t => {
  for (const { symbol, isEvm, tokens } of chains) {
    for (const token of tokens) {
      const label = `${token.symbol} on ${symbol}`
      if (isEvm) t.equal(token.address, checksummed(token.address), label)
      if (symbol === 'SOL') t.equal(base58.decode(token.address).length, 32, label)
      if (symbol === 'TRX') {
        const bytes = base58.decode(token.address)
        t.equal(bytes[0], 0x41, label)
        t.strictSame(bytes.slice(21), sha256(sha256(bytes.slice(0, 21))).slice(0, 4), label)
      }
    }
  }
  t.equal(poolKeys.ecdsa, checksummed(poolKeys.ecdsa))
  t.equal(base58.decode(poolKeys.eddsa).length, 32)
  t.match(poolKeys.reserved, /^tb1q[02-9ac-hj-np-z]{38}$/)
  t.end()
})

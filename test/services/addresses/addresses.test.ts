import { base58 } from '@scure/base'
import {
  assertAddress,
  type Environment,
  type Family,
  isSameAddress
} from '../../../services/addresses/index.ts'
import { test } from '../../helpers/tap.ts'

/** Returns the error message, or undefined for a valid address. */
function problemOf(family: Family, address: string, environment: Environment) {
  try {
    assertAddress('target', family, address, environment)
    return undefined
  } catch (error) {
    return String(error)
  }
}

// Examples from EIP-55.
const EVM = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
]
// Wallets from Solana's documentation.
const SOLANA = ['vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg', '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri']
const TRON = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf']
// Addresses from the genesis block, BIP-13 (the first P2SH addresses), BIP-173 and BIP-350.
const MAINNET = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
]
const TESTNET = [
  'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
  '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
  'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
  'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'
]

// Mostly invalid addresses listed in BIP-173 and BIP-350.
const BROKEN_BITCOIN = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', // a wrong base58 checksum
  'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47', // version 0 with the checksum for later versions
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', // version 1 with the checksum for version 0
  'bc1pw5dgrnzv', // a program of one byte
  'bc1qr508d6qejxtdg4y5r3zarvaryv98gj9p', // a version 0 program of 16 bytes
  '12CkiRdwdSrw2j8kQpP4FcZQ3FSbXNvN', // a legacy address of 20 bytes
  'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', // version 2, which is not yet defined
  'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' // the regression-test network
]

const hex = (text: string) => base58.encode(Buffer.from(text, 'hex'))
const [WALLET = '', DIGITS = ''] = [SOLANA[0], EVM[1]]

/** Addresses, and the message with which each is rejected; none if they are valid. */
const ADDRESSES: [
  family: Family,
  addresses: string[],
  problem?: RegExp | undefined,
  environment?: Environment
][] = [
  ['EVM', EVM.flatMap(address => [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`])],
  ['EVM', [`0x${'1'.padStart(40, '0')}`]],
  ['EVM', ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed'], /EIP-55/],
  ['EVM', ['', '0x', DIGITS.slice(2), DIGITS.slice(0, -1), `${DIGITS}0`, `${DIGITS}\n`], /40 hex digits/],
  ['EVM', [`${DIGITS.slice(0, -1)}g`, `0X${DIGITS.slice(2)}`, ` ${DIGITS}`], /40 hex digits/],
  ['EVM', [`0x${'0'.repeat(40)}`], /zero address/],
  ['SOL', SOLANA],
  ['SOL', ['BwqrghZA2htAcqq8dzP1WDAhTXYTYWj7CHxF5j7TDBAe'], /curve/],
  ['SOL', [`01${'00'.repeat(31)}`, '00'.repeat(32), `ec${'ff'.repeat(30)}7f`].map(hex), /anybody can sign/],
  ['SOL', ['SysvarRent111111111111111111111111111111111'], /Solana program/],
  ['SOL', ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'], /Solana program/],
  ['SOL', ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'], /Solana program/],
  ['SOL', ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'], /Solana program/],
  ['SOL', ['', WALLET.slice(1), `${WALLET}1`, `0${WALLET.slice(1)}`, '1'.repeat(31)], /32 bytes/],
  ['TRX', TRON],
  ['TRX', ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'], /zero address/],
  ['TRX', ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'tR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'], /Tron address/],
  // 19 and 21 bytes after the prefix, with a valid checksum.
  ['TRX', ['6vi8Dv4jQys6LQVTThxUPKPuKEX9Jndrw', '2zSzWt7x35HD1UhKnZV6vhuqved7Mc5DbZLs'], /Tron address/],
  ['TRX', ['', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', ...MAINNET.slice(0, 1), ...EVM], /Tron address/],
  ['BTC', MAINNET],
  ['BTC', MAINNET, /test network/, 'testnet'],
  ['BTC', TESTNET, undefined, 'testnet'],
  ['BTC', TESTNET, /main network/],
  ['BTC', BROKEN_BITCOIN, /./],
  ['BTC', BROKEN_BITCOIN, /./, 'testnet']
]

test('accepts the wallets of each chain family, and rejects everything else', async t => {
  for (const [family, addresses, problem, environment = 'mainnet'] of ADDRESSES) {
    for (const address of addresses) {
      const found = problemOf(family, address, environment)
      if (problem === undefined) t.equal(found, undefined, address)
      else t.match(found, problem, address)
    }
  }
})

test('compares the case of an address only in formats that distinguish it', async t => {
  for (const address of [...SOLANA, ...TRON]) t.notOk(isSameAddress(address, address.toLowerCase()), address)
  for (const address of [...EVM, 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'])
    t.ok(isSameAddress(address, address.toLowerCase()), address)
})

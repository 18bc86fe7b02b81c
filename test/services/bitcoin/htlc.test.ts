import { createHash } from 'node:crypto'
import { bech32, hex } from '@scure/base'
import { htlcOutput, htlcScript, keyHashOf, ownsAddress } from '../../../services/bitcoin/htlc.ts'
import { test } from '../../helpers/tap.ts'

const SENDER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
const SENDER_HASH = '751e76e8199196d454941c45d1b3a323f1433bd6'
const POOL = 'tb1qg02kssvwejvhr0xtkz9pzxak8x9r8vhd6umkq4'
const POOL_HASH = '43d568418ecc9971bccbb08a111bb6398a33b2ed'

const scriptAt = (timeout: number) => htlcScript(hex.decode(POOL_HASH), hex.decode(SENDER), timeout)

test('builds the script p2wsh-sha256-cltv-v1', async t => {
  const script = [
    ['76 a9 14', POOL_HASH, '87'], // OP_DUP OP_HASH160 pool OP_EQUAL
    ['63 76 a9 14', POOL_HASH, '88 ac'], // OP_IF OP_DUP OP_HASH160 pool OP_EQUALVERIFY OP_CHECKSIG
    ['67 04', '00 d2 49 6b', 'b1 75'], // OP_ELSE 1800000000 OP_CHECKLOCKTIMEVERIFY OP_DROP
    ['76 a9 14', SENDER_HASH, '88 ac'], // OP_DUP OP_HASH160 sender OP_EQUALVERIFY OP_CHECKSIG
    ['68 21', SENDER, '75'] // OP_ENDIF key OP_DROP
  ]
  const written = scriptAt(1_800_000_000)
  t.equal(hex.encode(written), script.flat().join('').replaceAll(' ', ''))

  const hash = createHash('sha256').update(written).digest()
  for (const [network, prefix] of [
    ['mainnet', 'bc'],
    ['testnet', 'tb']
  ] as const) {
    const address = bech32.encode(prefix, [0, ...bech32.toWords(hash)])
    const outputScript = `0020${hash.toString('hex')}`
    t.strictSame(htlcOutput(written, network), { address, hash: hash.toString('hex'), outputScript })
  }
})

test('rejects a timeout that nodes would read differently', async t => {
  for (const timeout of [499_999_999, 900_000, 2 ** 31, -1, Number.NaN])
    t.throws(() => scriptAt(timeout), RangeError)
  for (const timeout of [500_000_000, 2 ** 31 - 1]) t.doesNotThrow(() => scriptAt(timeout))
})

test('reads the hash of the pool’s key from its address', async t => {
  t.equal(hex.encode(keyHashOf(POOL, 'testnet') ?? new Uint8Array()), POOL_HASH)
  t.equal(keyHashOf('tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'testnet'), undefined)
})

/** Keys by address, from BIP-84, BIP-86 and, on the testnet, BIP-49, and the generator's P2PKH address. */
const OWNERS = {
  bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu:
    '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
  bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr:
    '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
  '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2': '03a1af804ac108a8a51782198c2d034b28bf90c8803f5a53f76276fa69a4eae77f',
  '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH': SENDER
}

test('recognizes the key of an address in each of the wallets’ formats', async t => {
  const offCurve = Uint8Array.of(2, ...new Uint8Array(32).fill(255))
  for (const [address, key] of Object.entries(OWNERS)) {
    const network = address.startsWith('2') ? 'testnet' : 'mainnet'
    t.ok(ownsAddress(hex.decode(key), address, network), address)
    t.notOk(ownsAddress(hex.decode(key), address, network === 'mainnet' ? 'testnet' : 'mainnet'), address)
    for (const other of Object.keys(OWNERS))
      if (other !== address) t.notOk(ownsAddress(hex.decode(key), other, network))
    t.notOk(ownsAddress(offCurve, address, network))
  }
})

import { toBase64 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { createSigner } from '../../../services/wallet/signer.ts'
import { test } from '../../helpers/tap.ts'

// Public test phrases with their published addresses, from the BIP-39 standard and from CosmJS's tests.
const ABANDON = `${'abandon '.repeat(11)}about`
const FAUCET =
  'economy stock theory fatal elder harbor betray wasp final emotion task crumble siren bottom lizard educate guess current outdoor pair theory focus wife stone'
const VECTORS = [
  { mnemonic: ABANDON, prefix: 'service', address: 'service19rl4cm2hmr8afy4kldpxz3fka4jguq0a5wm694' },
  {
    mnemonic: FAUCET,
    prefix: 'cosmos',
    address: 'cosmos1pkptre7fdkl6gfrzlesjjvhxhlc3r4gmmk8rs6',
    publicKey: 'A08EGB7ro1ORuFhjOnZcSgwYlpe0DSFjVNUIkNNQxwKQ'
  }
]

test('derives the same addresses and keys as other Cosmos wallets', async t => {
  for (const { mnemonic, prefix, address, publicKey } of VECTORS) {
    const signer = await createSigner({ mnemonic, prefix })
    t.equal(signer.address, address)
    if (publicKey !== undefined) t.equal(toBase64(signer.publicKey), publicKey)
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix })
    t.same(await wallet.getAccounts(), [{ address, pubkey: signer.publicKey, algo: 'secp256k1' }])
    t.same(await signer.getAccounts(), await wallet.getAccounts())
  }
})

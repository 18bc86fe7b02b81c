import {
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  pubkeyToAddress,
  Secp256k1HdWallet
} from '@cosmjs/amino'
import { stringToPath } from '@cosmjs/crypto'
import { toBase64 } from '@cosmjs/encoding'
import { encodePubkey } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getAccount } from '../../../../devnet/modules/auth/accounts.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../../../../devnet/wallets.ts'
import {
  CHAIN_ID,
  createTestChain,
  FEE,
  sendMessage,
  sign,
  type Wallet
} from '../../../helpers/devnet/chain.ts'
import { test } from '../../../helpers/tap.ts'

/** A wallet that signs in Amino mode. */
async function openAminoWallet(mnemonic: string, accountNumber: bigint, index = 0): Promise<Wallet> {
  const hdPaths = [stringToPath(`m/44'/118'/0'/0/${index}`)]
  const signer = await Secp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service', hdPaths })
  const [account] = await signer.getAccounts()
  return { address: account?.address ?? '', signer, accountNumber }
}

test('transactions signed in Amino mode are accepted', async t => {
  const { chain, alice, bob } = await createTestChain()
  const wallet = await openAminoWallet(DEVELOPMENT_WALLET, 0n)
  const message = sendMessage(alice.address, bob.address, 5n)
  const bytes = await sign(wallet, 0, [message, message], {
    memo: 'a <b> & "c"',
    timeoutHeight: 10n
  })
  t.match(chain.submitTx(bytes), { code: 0 })
  t.match(chain.produceBlock().txs, [{ result: { code: 0 } }])
})

test('the error of a bad Amino signature names the sequence, which Amino signs', async t => {
  const { chain, alice, bob } = await createTestChain()
  const wallet = await openAminoWallet(DEVELOPMENT_WALLET, 5n)
  t.match(chain.submitTx(await sign(wallet, 0, [sendMessage(alice.address, bob.address, 5n)])), {
    code: 4,
    log: `signature verification failed; please verify account number (0), sequence (0) and chain-id (${CHAIN_ID}): unauthorized`
  })
})

/** A funded account of three keys, two of which must sign. */
async function createMultisigAccount() {
  const { chain, alice, bob } = await createTestChain()
  const members = await Promise.all([1, 2, 3].map(index => openAminoWallet(OTHER_WALLET, 3n, index)))
  const keys = await Promise.all(
    members.map(async ({ signer }) =>
      encodeSecp256k1Pubkey((await signer.getAccounts())[0]?.pubkey ?? new Uint8Array())
    )
  )
  const pubkey = createMultisigThresholdPubkey(keys, 2, true)
  const address = pubkeyToAddress(pubkey, 'service')
  chain.submitTx(await sign(alice, 0, [sendMessage(alice.address, address, 50_000n)]))
  chain.produceBlock()
  const accountNumber = getAccount(chain.state, address)?.accountNumber ?? -1n

  /** A transaction of the account, signed by the members at `signing`; `bits` says which of them that are. */
  async function signedBy(signing: number[], bits: number, extraBitsStored = 3): Promise<Uint8Array> {
    const raws = await Promise.all(
      signing.map(async index => {
        const member = members[index]
        if (!member) throw new Error('no such member')
        const client = await SigningStargateClient.offline(member.signer)
        const data = { accountNumber, sequence: 0, chainId: CHAIN_ID }
        return client.sign(member.address, [sendMessage(address, bob.address, 100n)], FEE, '', data)
      })
    )
    const signatures = raws.map(raw => raw.signatures[0] ?? new Uint8Array())
    const mode = { single: { mode: SignMode.SIGN_MODE_LEGACY_AMINO_JSON } }
    const authInfo = AuthInfo.fromPartial({
      signerInfos: [
        {
          publicKey: encodePubkey(pubkey),
          modeInfo: {
            multi: {
              bitarray: { extraBitsStored, elems: Uint8Array.of(bits) },
              modeInfos: signing.map(() => mode)
            }
          },
          sequence: 0n
        }
      ],
      fee: { amount: [...FEE.amount], gasLimit: BigInt(FEE.gas) }
    })
    return TxRaw.encode({
      bodyBytes: raws[0]?.bodyBytes ?? new Uint8Array(),
      authInfoBytes: AuthInfo.encode(authInfo).finish(),
      signatures: [MultiSignature.encode({ signatures }).finish()]
    }).finish()
  }

  return { chain, address, signedBy }
}

test('a multisig account can spend when enough keys have signed', async t => {
  const { chain, address, signedBy } = await createMultisigAccount()
  const refused = async (bytes: Promise<Uint8Array>) =>
    t.match(chain.submitTx(await bytes), { code: 4, log: /^signature verification failed/ })

  await refused(signedBy([0], 0b1000_0000))
  await refused(signedBy([0, 1], 0b1010_0000))
  await refused(signedBy([0, 1], 0b1110_0000))
  await refused(signedBy([0, 1], 0b1100_0000, 2))

  t.match(chain.submitTx(await signedBy([0, 2], 0b1010_0000)), { code: 0 })
  const [tx] = chain.produceBlock().txs
  t.match(tx?.result, { code: 0 })
  t.equal(getAccount(chain.state, address)?.sequence, 1n)

  // Each signature is indexed, and then all of them as one.
  const indexed = tx?.result.events
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }) => key === 'signature')
    .map(({ value }) => value)
  const whole = TxRaw.decode(tx?.bytes ?? new Uint8Array()).signatures[0] ?? new Uint8Array()
  t.strictSame(indexed, [...MultiSignature.decode(whole).signatures.map(toBase64), toBase64(whole)])
})

import {
  type AccountData,
  createMultisigThresholdPubkey,
  encodeSecp256k1Pubkey,
  pubkeyToAddress,
  Secp256k1HdWallet
} from '@cosmjs/amino'
import { stringToPath } from '@cosmjs/crypto'
import { coins } from '@cosmjs/proto-signing'
import {
  assertIsDeliverTxSuccess,
  makeMultisignedTxBytes,
  type SignerData,
  SigningStargateClient
} from '@cosmjs/stargate'
import { OTHER_WALLET } from '../../../devnet/wallets.ts'
import { CHAIN_ID, DENOM, PREFIX, startNode } from '../../helpers/devnet/node.ts'
import { test } from '../../helpers/tap.ts'

const FEE = { amount: coins(10_000, DENOM), gas: '300000' }

/** Keys of one phrase in place of the members of a multisig account. Each signs offline. */
const WALLET = await Secp256k1HdWallet.fromMnemonic(OTHER_WALLET, {
  prefix: PREFIX,
  hdPaths: [1, 2, 3].map(index => stringToPath(`m/44'/118'/0'/0/${index}`))
})

test('an account of three keys can spend when two of them sign', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const members = await WALLET.getAccounts()
  const pubkey = createMultisigThresholdPubkey(
    members.map(member => encodeSecp256k1Pubkey(member.pubkey)),
    2
  )
  const multisig = pubkeyToAddress(pubkey, PREFIX)
  assertIsDeliverTxSuccess(await client.sendTokens(node.address, multisig, coins(50_000, DENOM), FEE))
  const account = await client.getAccount(multisig)
  const signerData: SignerData = {
    accountNumber: account?.accountNumber ?? -1n,
    sequence: account?.sequence ?? -1,
    chainId: CHAIN_ID
  }
  const message = {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: multisig, toAddress: node.otherAddress, amount: coins(1_000, DENOM) }
  }

  const offline = await SigningStargateClient.offline(WALLET)

  /** The transaction signed by some of the members. */
  async function signedBy(signers: readonly AccountData[]): Promise<Uint8Array> {
    const parts = await Promise.all(
      signers.map(async ({ address }) => {
        const { bodyBytes, signatures } = await offline.sign(address, [message], FEE, 'together', signerData)
        return { address, bodyBytes, signature: signatures[0] ?? new Uint8Array() }
      })
    )
    const signatures = new Map(parts.map(({ address, signature }) => [address, signature]))
    return makeMultisignedTxBytes(
      pubkey,
      signerData.sequence,
      FEE,
      parts[0]?.bodyBytes ?? new Uint8Array(),
      signatures
    )
  }

  await t.rejects(client.broadcastTxSync(await signedBy(members.slice(0, 1))), {
    name: 'BroadcastTxError',
    codespace: 'sdk',
    code: 4
  })
  assertIsDeliverTxSuccess(await client.broadcastTx(await signedBy(members.slice(1)), 60_000, 10))
  t.equal((await client.getBalance(multisig, DENOM)).amount, '39000')
  t.match(await client.getAccount(multisig), {
    sequence: 1,
    pubkey: { type: 'tendermint/PubKeyMultisigThreshold' }
  })
})

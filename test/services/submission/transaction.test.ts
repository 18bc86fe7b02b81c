import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import {
  DirectSecp256k1HdWallet,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignDoc,
  Registry
} from '@cosmjs/proto-signing'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { createMessageTypes } from '../../../services/messages/index.ts'
import { signTransaction } from '../../../services/submission/transaction.ts'
import { test } from '../../helpers/tap.ts'
import { wallet as signer } from '../../helpers/wallet.ts'

const mnemonic = `${'abandon '.repeat(11)}about`
const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
const { requestTransaction } = createMessageTypes('service')
const registry = new Registry([[requestTransaction.typeUrl, requestTransaction]])
const value = { creator: signer.address, amount: '100', options: '{"feeId":"f"}' }
const requests = [{ typeUrl: requestTransaction.typeUrl, value }]
const messages = requests.map(request => registry.encodeAsAny(request))
const pubkey = encodePubkey(encodeSecp256k1Pubkey(signer.publicKey))

test('encodes a signed transaction to the same bytes as CosmJS', async t => {
  for (const [sequence, feeAmount] of [
    [0, 0n],
    [2 ** 53 - 1, 10n ** 30n]
  ] as const) {
    const account = { chainId: 'service-1', accountNumber: BigInt(sequence) }
    const plan = { messages, sequence, gasLimit: 123_456, feeAmount, denom: 'uservice' }
    const { bytes, hash } = await signTransaction(signer, account, plan)
    const fee = feeAmount === 0n ? [] : [{ denom: 'uservice', amount: String(feeAmount) }]
    const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], fee, 123_456, undefined, undefined)
    const bodyBytes = registry.encodeTxBody({ messages: requests })
    const document = makeSignDoc(bodyBytes, authInfoBytes, account.chainId, account.accountNumber)
    const { signature } = await wallet.signDirect(signer.address, document)
    const signatures = [fromBase64(signature.signature)]
    t.same(bytes, TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes, signatures })).finish())
    t.equal(hash, transactionHash(bytes))
  }
})

test('rejects a transaction that the signer has modified', async t => {
  const account = { chainId: 'service-1', accountNumber: 1n }
  const plan = { messages, sequence: 1, gasLimit: 123_456, feeAmount: 1n, denom: 'uservice' }
  const generous: typeof signer.signDirect = (address, document) => {
    const fee = [{ denom: 'uservice', amount: '1000' }]
    const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence: 1 }], fee, 123_456, undefined, undefined)
    return signer.signDirect(address, { ...document, authInfoBytes })
  }
  const inPlace: typeof signer.signDirect = (address, document) => {
    const at = Buffer.from(document.bodyBytes).indexOf(signer.address)
    document.bodyBytes.set(Buffer.from('service1thief'), at)
    return signer.signDirect(address, document)
  }
  for (const signDirect of [generous, inPlace]) {
    const signing = signTransaction({ ...signer, signDirect }, account, plan)
    await t.rejects(signing, /the signer changed the transaction/)
  }
})

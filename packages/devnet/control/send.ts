import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getAccount } from '../chain/auth/accounts.ts'
import { txHash } from '../chain/hashes.ts'
import type { ControlledChain } from '../chain/index.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../wallets.ts'

export interface Send {
  from: 'development' | 'other'
  /** The recipient. Defaults to the wallet itself. */
  to?: string
  /** The amount in base units of the fee denomination. Defaults to 1. */
  amount?: bigint
}

const PHRASES = { development: DEVELOPMENT_WALLET, other: OTHER_WALLET }
const GAS = 200_000
/** Enough for the minimum gas prices in tests. */
const FEE = '200000'

/**
 * Creates a function that signs and submits a bank send. It returns the transaction hash.
 * @throws Error when CheckTx fails
 */
export function createSender(options: { chain: ControlledChain; prefix: string; feeDenom: string }) {
  const { chain, prefix, feeDenom: denom } = options
  const opened = new Map<Send['from'], ReturnType<typeof openWallet>>()

  function wallet(name: Send['from']) {
    const opening = opened.get(name) ?? openWallet(PHRASES[name], prefix)
    opened.set(name, opening)
    return opening
  }

  return async ({ from, to, amount = 1n }: Send): Promise<string> => {
    const { signer, account: key } = await wallet(from)
    const { address } = key
    const account = () => getAccount(chain.pendingState(), address)
    const send = MsgSend.fromPartial({
      fromAddress: address,
      toAddress: to ?? address,
      amount: [{ denom, amount: String(amount) }]
    })
    const message = { typeUrl: MsgSend.typeUrl, value: MsgSend.encode(send).finish() }
    const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages: [message] })).finish()
    const pubkey = encodePubkey(encodeSecp256k1Pubkey(key.pubkey))
    const fee = [{ denom, amount: FEE }]
    for (;;) {
      const { accountNumber, sequence } = account() ?? { accountNumber: 0n, sequence: 0n }
      const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], fee, GAS, undefined, undefined)
      const document = makeSignDoc(bodyBytes, authInfoBytes, chain.chainId, accountNumber)
      const { signature } = await signer.signDirect(address, document)
      const signatures = [fromBase64(signature.signature)]
      const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
      // Another transaction might have used the sequence in the meantime.
      if (account()?.sequence !== sequence) continue
      const { code, log } = chain.submitTx(bytes)
      if (code !== 0) throw new Error(`CheckTx failed with code ${code}: ${log}`)
      return txHash(bytes)
    }
  }
}

async function openWallet(phrase: string, prefix: string) {
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix })
  const [account] = await signer.getAccounts()
  if (account === undefined) throw new Error('the wallet has no account')
  return { signer, account }
}

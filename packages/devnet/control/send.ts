import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, encodePubkey, makeAuthInfoBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { txHash } from '../chain/hashes.ts'
import type { ControlledChain } from '../chain/index.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../wallets.ts'

export interface Send {
  from: 'development' | 'other'
  /** The recipient. Defaults to the wallet itself. */
  to?: string
  /** The amount in base units of the fee denomination. Defaults to 1. */
  amount?: bigint
  /** Sends an unordered transaction, which uses no sequence. Requires SDK 0.53. */
  unordered?: boolean
}

const PHRASES = { development: DEVELOPMENT_WALLET, other: OTHER_WALLET }
const GAS = 200_000
/** Enough for all minimum gas prices in use. */
const FEE = '200000'
/** Lifetime of an unordered transaction. The chain allows up to ten minutes. */
const UNORDERED_TTL_MS = 300_000

/** Creates a function that signs and submits a bank send. It returns the hash, and throws when CheckTx fails. */
export function createSender(options: { chain: ControlledChain; prefix: string; feeDenom: string }) {
  const { chain, prefix, feeDenom: denom } = options
  const opened = new Map<Send['from'], ReturnType<typeof openWallet>>()
  let unorderedSent = 0

  function wallet(name: Send['from']) {
    const opening = opened.get(name) ?? openWallet(PHRASES[name], prefix)
    opened.set(name, opening)
    return opening
  }

  /**
   * Creates the fields of an unordered transaction. Every unordered transaction of an account needs a different
   * timeout.
   */
  function unorderedFields() {
    const now = Date.parse(chain.block(chain.height)?.time ?? '')
    const seconds = BigInt(Math.floor((now + UNORDERED_TTL_MS) / 1000))
    unorderedSent += 1
    return { unordered: true, timeoutTimestamp: { seconds, nanos: unorderedSent } }
  }

  return async ({ from, to, amount = 1n, unordered = false }: Send): Promise<string> => {
    const { signer, account: key } = await wallet(from)
    const { address } = key
    const account = () => getAccount(chain.pendingState(), address)
    const send = {
      fromAddress: address,
      toAddress: to ?? address,
      amount: [{ denom, amount: String(amount) }]
    }
    const message = {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.encode(MsgSend.fromPartial(send)).finish()
    }
    const body = TxBody.fromPartial({ messages: [message], ...(unordered && unorderedFields()) })
    const bodyBytes = TxBody.encode(body).finish()
    const pubkey = encodePubkey(encodeSecp256k1Pubkey(key.pubkey))
    const fee = [{ denom, amount: FEE }]
    for (;;) {
      const { accountNumber, sequence } = account() ?? { accountNumber: 0n, sequence: 0n }
      const signers = [{ pubkey, sequence: unordered ? 0n : sequence }]
      const authInfoBytes = makeAuthInfoBytes(signers, fee, GAS, undefined, undefined)
      const document = makeSignDoc(bodyBytes, authInfoBytes, chain.chainId, accountNumber)
      const { signature } = await signer.signDirect(address, document)
      const signatures = [fromBase64(signature.signature)]
      const bytes = TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
      // Another transaction might have used the sequence in the meantime.
      if (!unordered && account()?.sequence !== sequence) continue
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

import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getAccount } from '../chain/auth/accounts.ts'
import { txHash } from '../chain/hashes.ts'
import type { Chain } from '../chain/index.ts'
import { OTHER_WALLET } from '../wallets.ts'

export interface Send {
  /** The recipient. Defaults to the wallet itself. */
  to?: string
  /** The amount in base units of the fee denomination. Defaults to 1. */
  amount?: bigint
}

/** The fee of a send, enough for the minimum gas prices in tests. */
const FEE = '200000'

/**
 * Creates a function that signs and submits a bank send of the wallet `other`. It returns the transaction hash.
 * @throws Error when CheckTx fails
 */
export function createSender(options: { chain: Chain; prefix: string; feeDenom: string }) {
  const { chain, prefix, feeDenom: denom } = options
  let opened: ReturnType<typeof openWallet> | undefined

  return async ({ to, amount = 1n }: Send = {}): Promise<string> => {
    opened ??= openWallet(prefix)
    const { client, address } = await opened
    const account = () => getAccount(chain.pendingState(), address)
    const value = {
      fromAddress: address,
      toAddress: to ?? address,
      amount: [{ denom, amount: String(amount) }]
    }
    const fee = { amount: [{ denom, amount: FEE }], gas: '200000' }
    for (;;) {
      const { accountNumber, sequence } = account() ?? { accountNumber: 0n, sequence: 0n }
      const signer = { accountNumber, sequence: Number(sequence), chainId: chain.chainId }
      const signed = await client.sign(address, [{ typeUrl: MsgSend.typeUrl, value }], fee, '', signer)
      const bytes = TxRaw.encode(signed).finish()
      // Another transaction might have used the sequence in the meantime.
      if (account()?.sequence !== sequence) continue
      const { code, log } = chain.submitTx(bytes)
      if (code !== 0) throw new Error(`CheckTx failed with code ${code}: ${log}`)
      return txHash(bytes)
    }
  }
}

async function openWallet(prefix: string) {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(OTHER_WALLET, { prefix })
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  return { client: await SigningStargateClient.offline(wallet), address }
}

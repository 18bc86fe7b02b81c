import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Chain } from '../chain/chain.ts'
import type { ChainControl } from '../chain/control.ts'
import { txHash } from '../chain/hashes.ts'
import { getAccount } from '../modules/auth/accounts.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../wallets.ts'

export interface Send {
  from: 'development' | 'other'
  /** By default the wallet itself. */
  to?: string
  /** In base units of the fee denomination; 1 by default. */
  amount?: bigint
  /**
   * By default it goes through the mempool, behind the wallet's waiting transactions. At the head of the next block it
   * uses the sequence of the first one that waits; at most one such transaction per block.
   */
  atHead?: boolean
}

const PHRASES = { development: DEVELOPMENT_WALLET, other: OTHER_WALLET }
const GAS = '200000'
/** Enough for any minimum gas price in use. */
const FEE = '200000'

/** @returns a function that signs and submits a bank send and returns its hash. It throws when CheckTx refuses. */
export function createSender(options: { chain: Chain & ChainControl; prefix: string; feeDenom: string }) {
  const { chain, prefix, feeDenom: denom } = options
  const opened = new Map<Send['from'], Promise<Wallet>>()

  function wallet(name: Send['from']): Promise<Wallet> {
    const opening = opened.get(name) ?? openWallet(PHRASES[name], prefix)
    opened.set(name, opening)
    return opening
  }

  return async ({ from, to, amount = 1n, atHead = false }: Send): Promise<string> => {
    const { address, client } = await wallet(from)
    const account = () => getAccount(atHead ? chain.state : chain.pendingState, address)
    for (;;) {
      const { accountNumber, sequence } = account() ?? { accountNumber: 0n, sequence: 0n }
      const value = {
        fromAddress: address,
        toAddress: to ?? address,
        amount: [{ denom, amount: String(amount) }]
      }
      const signerData = { accountNumber, sequence: Number(sequence), chainId: chain.chainId }
      const fee = { amount: [{ denom, amount: FEE }], gas: GAS }
      const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
      const bytes = TxRaw.encode(await client.sign(address, [message], fee, '', signerData)).finish()
      // Another transaction may have used the sequence during signing.
      if (account()?.sequence !== sequence) continue
      if (atHead) chain.includeNext(bytes)
      else submit(chain, bytes)
      return txHash(bytes)
    }
  }
}

interface Wallet {
  address: string
  client: SigningStargateClient
}

async function openWallet(phrase: string, prefix: string): Promise<Wallet> {
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix })
  const [account] = await signer.getAccounts()
  return { address: account?.address ?? '', client: await SigningStargateClient.offline(signer) }
}

function submit(chain: Chain, bytes: Uint8Array): void {
  const { code, log } = chain.submitTx(bytes)
  if (code !== 0) throw new Error(`the send was refused with code ${code}: ${log}`)
}

import { DirectSecp256k1HdWallet, type EncodeObject, Registry } from '@cosmjs/proto-signing'
import { SigningStargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../packages/devnet/index.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../services/messages/index.ts'
import { transferFields } from '../helpers/transfer.ts'

const types = createMessageTypes('service')

const TRANSFER = transferFields('7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11')

export function transfer(creator: string, change: Partial<MsgRequestTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestTransaction
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...change }) }
}

export function swap(creator: string, change: Partial<MsgRequestSwapTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = types.requestSwapTransaction
  const amounts = { amountIn: '10', amountOut: '9.5', dex: 'auto', slippage: '0.5' }
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...amounts, ...change }) }
}

/** Signs messages for a devnet with the built-in genesis, as its first account or that of another phrase. */
export async function sign(
  devnet: Devnet,
  messages: EncodeObject[],
  { mnemonic = DEVELOPMENT_WALLET, accountNumber = 0n, sequence = 0 } = {}
): Promise<Uint8Array> {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
  const [account] = await wallet.getAccounts()
  const registry = new Registry([
    [types.requestTransaction.typeUrl, types.requestTransaction],
    [types.requestSwapTransaction.typeUrl, types.requestSwapTransaction]
  ])
  const client = await SigningStargateClient.offline(wallet, { registry })
  const fee = { amount: [{ denom: 'uSERVICE', amount: '50000' }], gas: '2000000' }
  const signed = await client.sign(account?.address ?? '', messages, fee, '', {
    accountNumber,
    sequence,
    chainId: devnet.chain.chainId
  })
  return TxRaw.encode(signed).finish()
}

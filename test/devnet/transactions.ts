import { DirectSecp256k1HdWallet, type EncodeObject, Registry } from '@cosmjs/proto-signing'
import { defaultRegistryTypes, SigningStargateClient } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Devnet } from '../../packages/devnet/index.ts'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../services/messages/index.ts'
import { transferFields } from '../helpers/transfer.ts'

export const DENOM = 'uSERVICE'

const types = createMessageTypes('service')
const { requestTransaction, requestSwapTransaction } = types
export const registry = new Registry(defaultRegistryTypes)
for (const type of Object.values(types)) registry.register(type.typeUrl, type)

const TRANSFER = transferFields('7b0d3c5e-52f1-4a43-9d8c-0f4a1f0f8a11')

export function transfer(creator: string, change: Partial<MsgRequestTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = requestTransaction
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...change }) }
}

export function swap(creator: string, change: Partial<MsgRequestSwapTransaction> = {}): EncodeObject {
  const { typeUrl, fromPartial } = requestSwapTransaction
  const amounts = { amountIn: '10', amountOut: '9.5', dex: 'auto', slippage: '0.5' }
  return { typeUrl, value: fromPartial({ ...TRANSFER, creator, ...amounts, ...change }) }
}

export function sendMessage(
  fromAddress: string,
  toAddress: string,
  amount: bigint | number | string,
  denom = DENOM
): EncodeObject {
  const value = { fromAddress, toAddress, amount: [{ denom, amount: String(amount) }] }
  return { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
}

const developmentWallet = () =>
  DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix: 'service' })

/** Signs messages with the development wallet for a devnet with the built-in genesis. @returns the bytes */
export async function sign(
  { chain: { chainId }, addresses }: Devnet,
  messages: EncodeObject[],
  { sequence = 0 } = {}
): Promise<Uint8Array> {
  const fee = { amount: [{ denom: DENOM, amount: '50000' }], gas: '2000000' }
  const client = await SigningStargateClient.offline(await developmentWallet(), { registry })
  const signer = { accountNumber: 0n, sequence, chainId }
  const signed = await client.sign(addresses.development, messages, fee, '', signer)
  return TxRaw.encode(signed).finish()
}

import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import {
  type AccountData,
  DirectSecp256k1HdWallet,
  type EncodeObject,
  encodePubkey,
  makeAuthInfoBytes,
  makeCosmoshubPath,
  makeSignDoc,
  Registry
} from '@cosmjs/proto-signing'
import { defaultRegistryTypes } from '@cosmjs/stargate'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { DEVELOPMENT_WALLET } from '../../packages/devnet/wallets.ts'
import {
  createMessageTypes,
  type MsgRequestSwapTransaction,
  type MsgRequestTransaction
} from '../../services/messages/index.ts'
import { transferFields } from '../helpers/transfer.ts'

export const DENOM = 'uSERVICE'

/** The id of a development network's chain, and of the real chain. */
export const CHAIN_ID = 'service-devnet-1'

const types = createMessageTypes('service')
const { requestTransaction, requestSwapTransaction } = types
const registry = new Registry(defaultRegistryTypes)
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

export const encoded = (message: EncodeObject): Any => registry.encodeAsAny(message)

export type Account = Awaited<ReturnType<typeof openAccount>>

export interface TxOptions {
  sequence?: bigint | number
  memo?: string
  fee?: readonly { denom: string; amount: string }[]
  gas?: number
  /** Makes the transaction unordered (SDK 0.53), with this timeout as Unix time in seconds. */
  unorderedUntil?: number
  chainId?: string
  /** Replaces the account number in the signed document. */
  accountNumber?: bigint
  signatures?: readonly Uint8Array[]
}

/** Opens an account of the development wallet's phrase, which is account 0. @param number also of its derivation path */
export async function openAccount(number = 0) {
  const options = { prefix: 'service', hdPaths: [makeCosmoshubPath(number)] }
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, options)
  const [{ address, pubkey: publicKey }] = (await wallet.getAccounts()) as [AccountData]
  return { address, number: BigInt(number), publicKey, wallet }
}

/** Returns the fee for `gas` at the lowest price that the nodes accept. */
export const feeFor = (gas: number) => [{ denom: DENOM, amount: String(Math.ceil(gas * 0.025)) }]

/** Signs a transaction. @returns its bytes */
export async function sign(
  { address, number, publicKey, wallet }: Account,
  messages: readonly EncodeObject[],
  options: TxOptions = {}
): Promise<Uint8Array> {
  const { sequence = 0, memo = '', gas = 200_000, fee = feeFor(gas), unorderedUntil } = options
  const timeoutTimestamp = { seconds: BigInt(unorderedUntil ?? 0), nanos: 0 }
  const unordered = unorderedUntil !== undefined && { unordered: true, timeoutTimestamp }
  const body = TxBody.fromPartial({ messages: messages.map(encoded), memo, ...unordered })
  const bodyBytes = TxBody.encode(body).finish()
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))
  const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], fee, gas, undefined, undefined)
  const { chainId = CHAIN_ID, accountNumber = number } = options
  const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, accountNumber)
  const { signature } = await wallet.signDirect(address, document)
  const signatures = [...(options.signatures ?? [fromBase64(signature.signature)])]
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
}

import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { fromBase64 } from '@cosmjs/encoding'
import {
  type AccountData,
  DirectSecp256k1HdWallet,
  encodePubkey,
  makeAuthInfoBytes,
  makeSignDoc,
  type OfflineDirectSigner
} from '@cosmjs/proto-signing'
import { StargateClient } from '@cosmjs/stargate'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { DENOM, registry, sendMessage } from '../../devnet/transactions.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import type { RealChain } from './index.ts'

export interface Account {
  readonly address: string
  readonly number: bigint
  readonly publicKey: Uint8Array
  readonly wallet: OfflineDirectSigner
}

export interface TxOptions {
  sequence?: bigint | number
  memo?: string
  fee?: readonly { denom: string; amount: string }[]
  gas?: number
  /** Makes the transaction unordered (SDK 0.53), with this timeout as Unix time in seconds. */
  unorderedUntil?: number
  chainId: string
  /** Replaces the account number in the signed document. */
  accountNumber?: bigint
  signatures?: readonly Uint8Array[]
}

/** Returns the fee for `gas` at the lowest price that the nodes accept. */
export const feeFor = (gas: number) => [{ denom: DENOM, amount: String(Math.ceil(gas * 0.025)) }]

/** Signs a transaction. @returns its bytes */
export async function sign(
  { address, number, publicKey, wallet }: Account,
  messages: readonly Any[],
  options: TxOptions
): Promise<Uint8Array> {
  const { sequence = 0, memo = '', gas = 200_000, fee = feeFor(gas), unorderedUntil } = options
  const timeoutTimestamp = { seconds: BigInt(unorderedUntil ?? 0), nanos: 0 }
  const unordered = unorderedUntil !== undefined && { unordered: true, timeoutTimestamp }
  const body = TxBody.fromPartial({ messages: [...messages], memo, ...unordered })
  const bodyBytes = TxBody.encode(body).finish()
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))
  const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], fee, gas, undefined, undefined)
  const { chainId, accountNumber = number } = options
  const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, accountNumber)
  const { signature } = await wallet.signDirect(address, document)
  const signatures = [...(options.signatures ?? [fromBase64(signature.signature)])]
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
}

/** Lifetime of an unordered transaction, below the chain's limit of ten minutes. */
const UNORDERED_TTL_S = 240
let unorderedSigned = 0

/** Opens a wallet for use by a program outside the service. */
export async function openForeignWallet(
  { urls: { rpc: url }, chainId }: Pick<RealChain, 'urls' | 'chainId'>,
  mnemonic = DEVELOPMENT_WALLET
) {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
  const [{ address, pubkey: publicKey }] = (await wallet.getAccounts()) as [AccountData]
  const client = await StargateClient.connect(url)
  const { accountNumber } = await client.getSequence(address)
  const from = { address, number: BigInt(accountNumber), publicKey, wallet }

  return {
    address,
    /**
     * Sends a transaction behind the wallet's transactions in the mempool, and waits for its block.
     * @throws Error if the node or the chain rejects the transaction
     */
    async execute(messages: readonly Any[], { unordered = false } = {}) {
      let { sequence } = unordered ? { sequence: 0 } : await client.getSequence(address)
      // Unordered transactions of an account need different timeouts.
      if (unordered) unorderedSigned += 1
      const unorderedUntil = Math.floor(Date.now() / 1000) + UNORDERED_TTL_S + unorderedSigned
      for (;;) {
        const options = { chainId, gas: 300_000, sequence, ...(unordered && { unorderedUntil }) }
        const tx = await sign(from, messages, options)
        const sent = { tx: Buffer.from(tx).toString('base64') }
        const { result, error } = await rpc(url, 'broadcast_tx_sync', sent)
        const { code, log } = (result ?? { code: -1, log: error?.data }) as { code: number; log: string }
        if (code === 0) return executed(url, transactionHash(tx))
        const [, expected] = /account sequence mismatch, expected (\d+)/.exec(log) ?? []
        if (expected === undefined)
          throw new Error(`the node rejected the transaction with code ${code}: ${log}`)
        sequence = Number(expected)
      }
    }
  }
}

/** Waits until a block contains the transaction. @throws Error if the transaction failed */
async function executed(url: string, hash: string): Promise<{ height: number }> {
  const found = await until(async () => {
    const { result } = await rpc(url, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })
    return result as { height: string; tx_result: { code: number; log: string } } | undefined
  }, `a block contains ${hash}`)
  const { code, log } = found.tx_result
  if (code !== 0) throw new Error(`the transaction failed with code ${code}: ${log}`)
  return { height: Number(found.height) }
}

export const bankSend = (from: string, to: string, amount: bigint): Any =>
  registry.encodeAsAny(sendMessage(from, to, amount))

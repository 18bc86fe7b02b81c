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
import { MsgUpdateParams } from 'cosmjs-types/cosmos/consensus/v1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { createCodec } from '../../../services/messages/codec.ts'
import { string, uint32 } from '../../../services/messages/fields.ts'
import { DENOM, registry, sendMessage } from '../../devnet/transactions.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import type { RealChain } from './index.ts'

export interface CheckResult {
  hash: string
  code: number
  codespace: string
  log: string
}

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
  const body = TxBody.fromPartial({
    messages: [...messages],
    memo,
    ...(unorderedUntil !== undefined && {
      unordered: true,
      timeoutTimestamp: { seconds: BigInt(unorderedUntil), nanos: 0 }
    })
  })
  const bodyBytes = TxBody.encode(body).finish()
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))
  const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence }], fee, gas, undefined, undefined)
  const { chainId, accountNumber = number } = options
  const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, accountNumber)
  const { signature } = await wallet.signDirect(address, document)
  const signatures = [...(options.signatures ?? [fromBase64(signature.signature)])]
  return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
}

type ForeignOptions = Pick<TxOptions, 'sequence' | 'fee'> & { unordered?: boolean }

/** Lifetime of an unordered transaction, below the chain's limit of ten minutes. */
const UNORDERED_TTL_S = 240
let unorderedSigned = 0

/** A wallet in use by a program outside the service. */
export type ForeignWallet = Awaited<ReturnType<typeof openForeignWallet>>

export async function openForeignWallet(
  { urls, chainId }: Pick<RealChain, 'urls' | 'chainId'>,
  mnemonic = DEVELOPMENT_WALLET
) {
  const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
  const [{ address, pubkey: publicKey }] = (await wallet.getAccounts()) as [AccountData]

  async function send(messages: readonly Any[], options: ForeignOptions = {}): Promise<CheckResult> {
    const client = await StargateClient.connect(urls.rpc)
    const { accountNumber, sequence } = await client.getSequence(address).finally(() => client.disconnect())
    const { unordered = false, ...given } = options
    // Unordered transactions of an account need different timeouts.
    if (unordered) unorderedSigned += 1
    const bytes = await sign({ address, number: BigInt(accountNumber), publicKey, wallet }, messages, {
      chainId,
      gas: 300_000,
      sequence: unordered ? 0 : sequence,
      ...(unordered && { unorderedUntil: Math.floor(Date.now() / 1000) + UNORDERED_TTL_S + unorderedSigned }),
      ...given
    })
    return broadcast(urls.rpc, bytes)
  }

  return {
    address,
    send,
    /** Signs and sends, and waits for the block. @throws Error if the node or the chain rejects the transaction */
    async execute(messages: readonly Any[], options?: ForeignOptions) {
      const { hash, code, log } = await send(messages, options)
      if (code !== 0) throw new Error(`the node rejected the transaction with code ${code}: ${log}`)
      return executed(urls.rpc, hash)
    }
  }
}

/** @throws Error if the node does not run CheckTx, for example because its mempool is full */
async function broadcast(url: string, bytes: Uint8Array): Promise<CheckResult> {
  const { result, error } = await rpc(url, 'broadcast_tx_sync', { tx: Buffer.from(bytes).toString('base64') })
  if (error) throw new Error(`broadcast_tx_sync: ${error.data}`)
  const { code, codespace, log } = result as unknown as CheckResult
  return { hash: transactionHash(bytes), code, codespace, log }
}

/** Waits until a block contains the transaction. @throws Error if the transaction failed */
export async function executed(url: string, hash: string): Promise<{ hash: string; height: number }> {
  const found = await until(async () => {
    const { result } = await rpc(url, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })
    return result as { height: string; tx_result: { code: number; log: string } } | undefined
  }, `a block contains ${hash}`)
  const { code, log } = found.tx_result
  if (code !== 0) throw new Error(`the transaction failed with code ${code}: ${log}`)
  return { hash, height: Number(found.height) }
}

export const bankSend = (from: string, to: string, amount: bigint): Any =>
  registry.encodeAsAny(sendMessage(from, to, amount))

const setWhitelisted = createCodec<{ authority: string; address: string; whitelisted: number }>({
  authority: string(1),
  address: string(2),
  // A bool is encoded as 0 or 1.
  whitelisted: uint32(3)
})

export function whitelistMessage(authority: string, address: string, whitelisted: boolean): Any {
  const message = { authority, address, whitelisted: Number(whitelisted) }
  return {
    typeUrl: '/serviceblockchain.transaction.MsgSetWhitelisted',
    value: setWhitelisted.encode(message).finish()
  }
}

/** Builds a message that changes the block gas limit and no other consensus parameter. The authority must sign it. */
export async function blockGasMessage(url: string, authority: string, maxGas: number): Promise<Any> {
  const { result } = await rpc(url, 'consensus_params')
  const { consensus_params: present } = result as unknown as { consensus_params: ConsensusParams }
  const { block, evidence, validator } = present
  const update = MsgUpdateParams.fromPartial({
    authority,
    block: { maxBytes: BigInt(block.max_bytes), maxGas: BigInt(maxGas) },
    evidence: {
      maxAgeNumBlocks: BigInt(evidence.max_age_num_blocks),
      maxAgeDuration: { seconds: BigInt(evidence.max_age_duration) / 1_000_000_000n, nanos: 0 },
      maxBytes: BigInt(evidence.max_bytes)
    },
    validator: { pubKeyTypes: validator.pub_key_types }
  })
  return { typeUrl: MsgUpdateParams.typeUrl, value: MsgUpdateParams.encode(update).finish() }
}

interface ConsensusParams {
  block: { max_bytes: string }
  evidence: { max_age_num_blocks: string; max_age_duration: string; max_bytes: string }
  validator: { pub_key_types: string[] }
}

let sent = 0n

/**
 * Sends coins from a wallet to itself, after its transactions in the node's mempool. @throws Error if the mempool is
 * full
 */
export async function sendBehind(wallet: ForeignWallet): Promise<CheckResult> {
  sent += 1n
  const message = bankSend(wallet.address, wallet.address, sent)
  let options = {}
  for (;;) {
    const answer = await wallet.send([message], options)
    const [, expected] = /account sequence mismatch, expected (\d+)/.exec(answer.log) ?? []
    if (expected === undefined) return answer
    options = { sequence: BigInt(expected) }
  }
}

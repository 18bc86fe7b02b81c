import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { encodePubkey, makeAuthInfoBytes, makeSignBytes, makeSignDoc } from '@cosmjs/proto-signing'
import { StargateClient } from '@cosmjs/stargate'
import { MsgUpdateParams } from 'cosmjs-types/cosmos/consensus/v1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { DEVELOPMENT_WALLET } from '../../../packages/devnet/wallets.ts'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { createCodec } from '../../../services/messages/codec.ts'
import { string, uint32 } from '../../../services/messages/fields.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { DENOM, registry, sendMessage } from '../../devnet/chain/test-chain.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import type { RealChain } from './index.ts'

/** Lifetime of an unordered transaction, below the chain's limit of ten minutes. */
const UNORDERED_TTL_MS = 300_000

interface SigningOptions {
  /** Defaults to the account's next sequence as of the newest block. */
  sequence?: bigint
  gas?: number
  /** In base units. Defaults to 0.025 per unit of gas. */
  fee?: bigint
  /** Makes the transaction unordered, so that it uses no sequence (SDK 0.53). */
  unordered?: boolean
}

/** A node's response to a broadcast transaction. */
export interface CheckResult {
  hash: string
  code: number
  codespace: string
  log: string
}

/** A wallet used by programs other than the service. */
export type ForeignWallet = Awaited<ReturnType<typeof openForeignWallet>>

let unorderedSigned = 0

export async function openForeignWallet(
  { urls, chainId }: Pick<RealChain, 'urls' | 'chainId'>,
  mnemonic = DEVELOPMENT_WALLET
) {
  const { address, publicKey, sign: signDocument } = await createSigner({ mnemonic, prefix: 'service' })
  const pubkey = encodePubkey(encodeSecp256k1Pubkey(publicKey))

  async function account() {
    const client = await StargateClient.connect(urls.rpc)
    try {
      return await client.getSequence(address)
    } finally {
      client.disconnect()
    }
  }

  async function sign(messages: readonly Any[], options: SigningOptions = {}): Promise<Uint8Array> {
    const { gas = 300_000, fee = BigInt(gas) / 40n, unordered = false } = options
    const { accountNumber, sequence } = await account()
    const body = TxBody.fromPartial({ messages: [...messages], ...(unordered && unorderedFields()) })
    const bodyBytes = TxBody.encode(body).finish()
    const signers = [{ pubkey, sequence: unordered ? 0n : (options.sequence ?? BigInt(sequence)) }]
    const coins = [{ denom: DENOM, amount: String(fee) }]
    const authInfoBytes = makeAuthInfoBytes(signers, coins, gas, undefined, undefined)
    const document = makeSignDoc(bodyBytes, authInfoBytes, chainId, BigInt(accountNumber))
    const signatures = [await signDocument(makeSignBytes(document))]
    return TxRaw.encode({ bodyBytes, authInfoBytes, signatures }).finish()
  }

  /** Signs and sends. @returns the CheckTx response */
  async function send(messages: readonly Any[], options?: SigningOptions): Promise<CheckResult> {
    return broadcast(urls.rpc, await sign(messages, options))
  }

  return {
    address,
    send,
    /** Signs and sends, and waits for the block. @throws Error if the node or the chain rejects the transaction */
    async execute(messages: readonly Any[], options?: SigningOptions) {
      const { hash, code, log } = await send(messages, options)
      if (code !== 0) throw new Error(`the node rejected the transaction with code ${code}: ${log}`)
      return executed(urls.rpc, hash)
    }
  }
}

/**
 * Returns the fields of an unordered transaction. Unordered transactions from the same account need different timeouts.
 */
function unorderedFields() {
  unorderedSigned += 1
  const seconds = BigInt(Math.floor((Date.now() + UNORDERED_TTL_MS) / 1000))
  return { unordered: true, timeoutTimestamp: { seconds, nanos: unorderedSigned } }
}

/** Broadcasts a transaction. @throws Error if the node does not run CheckTx, for example because its mempool is full */
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

/** Builds a message that adds an account to the whitelist or removes it. The authority must sign it. */
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

import {
  DirectSecp256k1HdWallet,
  type EncodeObject,
  type OfflineSigner,
  Registry
} from '@cosmjs/proto-signing'
import { defaultRegistryTypes, SigningStargateClient, type StdFee } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type ControlledChain, createChain } from '../../packages/devnet/chain/index.ts'
import type { ChainOptions } from '../../packages/devnet/chain/options.ts'
import { getAccount } from '../../packages/devnet/modules/auth/accounts.ts'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { createMessageTypes } from '../../services/messages/index.ts'

const CHAIN_ID = 'service-devnet-1'
export const DENOM = 'uSERVICE'
export const FUNDS = 1_000_000_000n

export interface Wallet {
  address: string
  signer: OfflineSigner
  accountNumber: bigint
}

/** Shared by all tests, because deriving a key from a phrase is slow. */
const signers = new Map<string, Promise<DirectSecp256k1HdWallet>>()

export async function openWallet(mnemonic: string, accountNumber: bigint): Promise<Wallet> {
  const opening =
    signers.get(mnemonic) ?? DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'service' })
  signers.set(mnemonic, opening)
  const signer = await opening
  const [account] = await signer.getAccounts()
  return { address: account?.address ?? '', signer, accountNumber }
}

/** Creates a chain at its first block, with FUNDS in each of two wallets. The test produces the blocks. */
export async function createTestChain(options: Partial<ChainOptions> = {}) {
  const alice = await openWallet(DEVELOPMENT_WALLET, 0n)
  const bob = await openWallet(OTHER_WALLET, 1n)
  const coins = [{ denom: DENOM, amount: FUNDS }]
  const genesis = { chainId: CHAIN_ID, accounts: [alice, bob].map(({ address }) => ({ address, coins })) }
  const chain = createChain({ genesis, ...options }, [])
  chain.produceBlock()
  return { chain, alice, bob }
}

export function sendMessage(
  from: string,
  to: string,
  amount: bigint | number | string,
  denom = DENOM
): EncodeObject {
  const coins = [{ denom, amount: String(amount) }]
  return {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: from, toAddress: to, amount: coins }
  }
}

const FEE: StdFee = { amount: [{ denom: DENOM, amount: '2000' }], gas: '200000' }

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')
export const registry = new Registry([
  ...defaultRegistryTypes,
  [requestTransaction.typeUrl, requestTransaction],
  [requestSwapTransaction.typeUrl, requestSwapTransaction]
])

/** Signs a transaction with an explicit sequence. @returns its bytes */
export async function sign(
  { address, signer, accountNumber }: Wallet,
  sequence: number,
  messages: EncodeObject[],
  { fee = FEE, chainId = CHAIN_ID } = {}
): Promise<Uint8Array> {
  const client = await SigningStargateClient.offline(signer, { registry })
  const data = { accountNumber, sequence, chainId }
  return TxRaw.encode(await client.sign(address, messages, fee, '', data)).finish()
}

export function sequenceOf(chain: ControlledChain, { address }: { address: string }): bigint | undefined {
  return getAccount(chain.state, address)?.sequence
}

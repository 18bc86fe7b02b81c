import { sha256 } from '@cosmjs/crypto'
import { toBech32, toUtf8 } from '@cosmjs/encoding'
import { DirectSecp256k1HdWallet, DirectSecp256k1Wallet, type EncodeObject } from '@cosmjs/proto-signing'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { DEVELOPMENT_WALLET, OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import type { MsgRequestSwapTransaction, MsgRequestTransaction } from '../../../services/messages/index.ts'
import {
  DENOM,
  registry,
  swap as swapMessage,
  transfer as transferMessage
} from '../../devnet/transactions.ts'
import { transferFields } from '../../helpers/transfer.ts'
import { type Account, sign as signMessages, type TxOptions } from '../harness/transactions.ts'

export { DENOM, sendMessage as send } from '../../devnet/transactions.ts'

export const CHAIN_ID = 'service-conformance-1'

/**
 * The genesis accounts in order of account number. Each part of the test has its own, with a known sequence. Only
 * `development` may submit requests.
 */
const PUBLIC = ['development', 'other'] as const
const OWN = ['transactions', 'refusals', 'simulations', 'stranger', 'mempool', 'penniless'] as const
const NAMES = [...PUBLIC, ...OWN] as const

/** Phrases of the public wallets, which are the first accounts on every chain. */
const PHRASES: Record<string, string> = { development: DEVELOPMENT_WALLET, other: OTHER_WALLET }

const keyOf = (name: string) => sha256(toUtf8(`conformance/${name}`))

async function openAccount(name: (typeof NAMES)[number], index: number): Promise<Account> {
  const phrase = PHRASES[name]
  const wallet =
    phrase === undefined
      ? await DirectSecp256k1Wallet.fromKey(keyOf(name), 'service')
      : await DirectSecp256k1HdWallet.fromMnemonic(phrase, { prefix: 'service' })
  const [first] = await wallet.getAccounts()
  if (first === undefined) throw new Error(`wallet ${name} has no account`)
  return { address: first.address, number: BigInt(index), publicKey: first.pubkey, wallet }
}

const opened = new Map<string, Account>()
for (const [index, name] of NAMES.entries()) opened.set(name, await openAccount(name, index))

export function account(name: (typeof NAMES)[number]): Account {
  const found = opened.get(name)
  if (found === undefined) throw new Error(`account ${name} does not exist`)
  return found
}

/** The genesis accounts and their coins, except the public wallets. */
export const GENESIS_ACCOUNTS = OWN.map(name => ({
  address: account(name).address,
  coins: name === 'penniless' ? `5${DENOM}` : `1000000000${DENOM},777uother`
}))

const addressOf = (byte: number, prefix = 'service') => toBech32(prefix, new Uint8Array(20).fill(byte))

export const RECIPIENT = addressOf(1)
/** An address that never appears on the chain. */
export const UNKNOWN_ADDRESS = addressOf(2)
export const OTHER_CHAIN_ADDRESS = addressOf(1, 'cosmos')

/** @returns the bytes, which are the same for both networks */
export const sign = (
  from: Account,
  messages: readonly (EncodeObject | Any)[],
  options: Partial<TxOptions> = {}
): Promise<Uint8Array> => signMessages(from, messages.map(encoded), { chainId: CHAIN_ID, ...options })

export function encoded(message: EncodeObject | Any): Any {
  return message.value instanceof Uint8Array
    ? { typeUrl: message.typeUrl, value: message.value }
    : registry.encodeAsAny(message)
}

export const transfer = (creator: string, feeId: string, change: Partial<MsgRequestTransaction> = {}) =>
  transferMessage(creator, { ...transferFields(feeId), ...change })

export const swap = (creator: string, feeId: string, change: Partial<MsgRequestSwapTransaction> = {}) =>
  swapMessage(creator, { ...transferFields(feeId), ...change })

import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Simulation, transactionHash } from '../../../services/chain-client/index.ts'
import type { Identity } from '../../../services/submission/contract.ts'
import { WALLET_ADDRESS } from '../service/wallet.ts'

/** How a message behaves on the chain. */
export type Behaviour =
  | 'plain'
  /** Fails in simulations and in blocks. */
  | 'poison'
  /** Passes simulations but fails in a block. */
  | 'hidden-poison'
  /** Fails because the user lacks permission; the wallet itself is fine. */
  | 'forbidden'
  /** Fails with an error string that quotes an unrelated error; users can cause such strings. */
  | 'mocking'
  /** Succeeds with an event that quotes an error; users can cause such strings. */
  | 'echoing'
  /** Fails CheckTx. CheckTx reports no message index, so the message blocks every transaction that contains it. */
  | 'malformed'
  /** Succeeds with an `error` event. */
  | 'refused-by-event'
  /** Needs about twice the simulated gas. */
  | 'hungry'
  /** Needs far more than the simulated gas. */
  | 'insatiable'
  /** Needs most of a block's gas, or most of the gas limit per message. */
  | 'heavy'
  /** Needs more gas than a block has. */
  | 'oversized'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const MESSAGE_TYPE = '/model.Request'

/** The registration of a lock, which the engine recognizes. */
const LOCK_TYPE = '/model.MsgRequestHtlcLock'

export interface ModelMessage {
  identity: string
  content: string
  behaviour: Behaviour | 'transfer'
}

export interface ModelTransaction {
  hash: string
  bytes: Uint8Array
  sequence: number
  gasLimit: number
  fee: number
  messages: readonly ModelMessage[]
  /** The `acc_seq` values of the other signers. */
  otherSigners?: readonly string[]
}

export function encodeMessage({ identity, content, behaviour }: ModelMessage): Uint8Array {
  return encoder.encode(`${identity} ${content} ${behaviour} ${WALLET_ADDRESS}`)
}

export function readRequest(value: Uint8Array): ModelMessage & { behaviour: Behaviour } {
  const [identity = '', content = '', behaviour = 'plain'] = decoder.decode(value).split(' ')
  return { identity, content, behaviour: behaviour as Behaviour }
}

/** The names of a rail's payments begin with it. */
export const PAYMENT = 'payment-'

/** The names of transfers that the chain refuses before their lock is registered begin with it. */
export const PAIRED = 'btc-'

/** Returns the name of the lock that a transfer needs; undefined if it needs none. */
export const lockOf = (identity: string) => (identity.startsWith(PAIRED) ? `lock-${identity}` : undefined)

export const isLockName = (identity: string) => identity.startsWith(`lock-${PAIRED}`)

export const typeOf = ({ identity }: Pick<ModelMessage, 'identity'>) =>
  isLockName(identity) ? LOCK_TYPE : MESSAGE_TYPE

/** The target of a payment. Contents with the same first word have the same target. */
export const targetOf = (content: string) => content.split('-')[0] ?? ''

export const identitiesOf = ({
  identity,
  content
}: Pick<ModelMessage, 'identity' | 'content'>): Identity[] => {
  if (identity.startsWith(PAYMENT)) return [{ kind: 'payment', value: identity, target: targetOf(content) }]
  return [{ kind: isLockName(identity) ? 'registration' : 'fee', value: identity }]
}

export const isRequestType = (typeUrl: string) => [MESSAGE_TYPE, LOCK_TYPE].includes(typeUrl)

function decodeMessage({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): ModelMessage {
  // Any other message is the engine's own transfer of coins from the wallet to itself.
  return isRequestType(typeUrl) ? readRequest(value) : { identity: '', content: '', behaviour: 'transfer' }
}

export function toModel({ messages, sequence }: Simulation): ModelTransaction {
  const unsigned = { hash: '', bytes: new Uint8Array(), gasLimit: 0, fee: 0 }
  return { ...unsigned, sequence, messages: messages.map(decodeMessage) }
}

export function decodeTransaction(bytes: Uint8Array): ModelTransaction {
  const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
  const { signerInfos, fee } = AuthInfo.decode(authInfoBytes)
  return {
    hash: transactionHash(bytes),
    bytes,
    sequence: Number(signerInfos[0]?.sequence ?? 0n),
    gasLimit: Number(fee?.gasLimit ?? 0n),
    fee: Number(fee?.amount[0]?.amount ?? 0),
    messages: TxBody.decode(bodyBytes).messages.map(decodeMessage)
  }
}

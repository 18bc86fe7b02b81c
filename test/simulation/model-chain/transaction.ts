import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { type Simulation, transactionHash } from '../../../services/chain-client/index.ts'

/** How a message behaves on the chain. */
export type Behaviour =
  | 'plain'
  /** Fails when it is executed, as in a simulation. */
  | 'poison'
  /** Fails when it is executed, but passes a simulation. */
  | 'hidden-poison'
  /** Fails because the user lacks permission; the wallet itself is fine. */
  | 'forbidden'
  /** Fails with an error string that quotes another refusal; users can cause such strings. */
  | 'mocking'
  /** Succeeds with an event that quotes a refusal; users can cause such strings. */
  | 'echoing'
  /** Fails CheckTx, which reports no message index, so the message blocks any transaction that contains it. */
  | 'malformed'
  /** Succeeds with an `error` event. */
  | 'refused-by-event'
  /** Needs about twice the simulated gas. */
  | 'hungry'
  /** Needs far more than the simulated gas. */
  | 'insatiable'
  /** Needs most of a block's gas, or of the gas limit of a message. */
  | 'heavy'
  /** Needs more gas than a block has. */
  | 'oversized'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const MESSAGE_TYPE = '/model.Request'

export interface ModelMessage {
  identity: string
  content: string
  behaviour: Behaviour | 'transfer'
}

export interface ModelTransaction {
  hash: string
  /** Encoded TxRaw. */
  bytes: Uint8Array
  sequence: number
  gasLimit: number
  fee: number
  messages: readonly ModelMessage[]
  /** The `acc_seq` values of other wallets that sign too. */
  otherSigners?: readonly string[]
}

export function encodeMessage({ identity, content, behaviour }: ModelMessage): Uint8Array {
  return encoder.encode(`${identity} ${content} ${behaviour}`)
}

/** Reads an encoded request. */
export function readRequest(value: Uint8Array): ModelMessage & { behaviour: Behaviour } {
  const [identity = '', content = '', behaviour = 'plain'] = decoder.decode(value).split(' ')
  return { identity, content, behaviour: behaviour as Behaviour }
}

function decodeMessage({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): ModelMessage {
  // The engine's own message: a transfer of coins from the wallet to itself.
  return typeUrl === MESSAGE_TYPE ? readRequest(value) : { identity: '', content: '', behaviour: 'transfer' }
}

/** The transaction that the engine simulates. */
export function toModel({ messages, sequence }: Simulation): ModelTransaction {
  const unsigned = { hash: '', bytes: new Uint8Array(), gasLimit: 0, fee: 0 }
  return { ...unsigned, sequence, messages: messages.map(decodeMessage) }
}

/** Reads the protobuf that the engine signs. */
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

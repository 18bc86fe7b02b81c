import { randomUUID } from 'node:crypto'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainBlock } from '../../chain-client/index.ts'
import { createMessageTypes } from '../../messages/index.ts'
import { identitiesIn } from '../identities.ts'
import type { WalletRequest } from '../store/types.ts'
import type { Identity } from '../types.ts'
import { messageOutcomes } from './message-results.ts'
import { reportedSequence } from './outcomes.ts'

/** What a message of the wallet is known by; nothing for any other message, and for one that cannot be read. */
export type Identify = (message: Any) => readonly Identity[]

/**
 * Reads transfers and swaps.
 * @param brand in the packages of the messages
 * @param address of the wallet, which must have created them
 */
export function createIdentify(brand: string, address: string): Identify {
  const { requestTransaction, requestSwapTransaction } = createMessageTypes(brand)
  const types = new Map([requestTransaction, requestSwapTransaction].map(type => [type.typeUrl, type]))

  return ({ typeUrl, value }) => {
    const request = types.get(typeUrl)?.decode(value)
    return request?.creator === address ? identitiesIn(request) : []
  }
}

/**
 * The requests of the wallet that a block has executed, or refused by an event, in transactions that the store does not
 * know: another program signed them, or this one before the store was lost or set back.
 * @param wallet.isKnown whether a transaction is one of the store's, by its hash
 */
export function unknownRequests(
  { transactions, height }: ChainBlock,
  wallet: { address: string; identify: Identify; isKnown: (hash: string) => boolean }
): WalletRequest[] {
  return transactions
    .filter(
      tx => tx.code === 0 && reportedSequence(tx, wallet.address) !== undefined && !wallet.isKnown(tx.hash)
    )
    .flatMap(tx => requestsIn(tx, height, wallet.identify))
}

function requestsIn(tx: BlockTransaction, height: number, identify: Identify): WalletRequest[] {
  const messages = messagesIn(tx)
  const identities = messages.map(message => identitiesOf(message, identify))
  if (identities.every(({ length }) => length === 0)) return []
  // A submission that is created for it has this id.
  const outcomes = messageOutcomes(
    tx,
    messages.map(() => randomUUID())
  )
  return messages.flatMap(({ typeUrl, value: message }, index) => {
    const [own = [], execution] = [identities[index], outcomes[index]]
    if (own.length === 0 || execution === undefined) return []
    return { identities: own, typeUrl, message, execution, transactionHash: tx.hash, height }
  })
}

function identitiesOf(message: Any, identify: Identify): readonly Identity[] {
  try {
    return identify(message)
  } catch {
    return []
  }
}

/** The messages of a transaction; none when its bytes cannot be read. */
function messagesIn({ bytes }: BlockTransaction): Any[] {
  try {
    return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages
  } catch {
    return []
  }
}

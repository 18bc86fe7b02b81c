import { randomUUID } from 'node:crypto'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import type { BlockTransaction, ChainBlock } from '../../chain-client/index.ts'
import { createMessageTypes } from '../../messages/index.ts'
import { identitiesIn } from '../identities.ts'
import { messagesOf } from '../sign/transaction.ts'
import type { WalletRequest } from '../store/types.ts'
import type { Identity } from '../types.ts'
import { messageOutcomes } from './message-results.ts'
import { reportedSequence } from './outcomes.ts'

/** Returns an empty array for any message but a request by the wallet. */
export type Identify = (message: Any) => readonly Identity[]

/**
 * Creates a function that returns the identities of the wallet's transfers and swaps.
 * @param brand the brand in the protobuf package names of the messages
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
 * Returns the wallet's requests in a block's foreign transactions: those executed, and those refused by an event.
 * Another program signed them, or this program did before the store was lost or rolled back.
 */
export function foreignRequests(
  { transactions, height }: ChainBlock,
  wallet: { address: string; identify: Identify; isOwn: (hash: string) => boolean }
): WalletRequest[] {
  return transactions
    .filter(
      tx => tx.code === 0 && reportedSequence(tx, wallet.address) !== undefined && !wallet.isOwn(tx.hash)
    )
    .flatMap(tx => requestsIn(tx, height, wallet.identify))
}

function requestsIn(tx: BlockTransaction, height: number, identify: Identify): WalletRequest[] {
  const messages = messagesIn(tx)
  const identities = messages.map(message => identitiesOf(message, identify))
  if (identities.every(({ length }) => length === 0)) return []
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

function messagesIn(tx: BlockTransaction): Any[] {
  try {
    return messagesOf(tx)
  } catch {
    return []
  }
}

import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BlockTransaction, ChainBlock } from '../../services/chain-client/index.ts'
import { createMessageTypes } from '../../services/messages/index.ts'
import { messageOutcomes } from '../../services/submission/following/outcomes.ts'
import { identitiesIn } from '../../services/submission/identities.ts'
import { contentHash } from '../../services/submission/store/content-hash.ts'
import type { Execution } from '../../services/submission/store/types.ts'
import type { Identity } from '../../services/submission/types.ts'

/** A request of the wallet in a successful transaction: executed, or refused by an event. */
export interface WalletRequest {
  /** Identifies the message with its type, see `contentKey`. */
  content: string
  typeUrl: string
  message: Uint8Array
  /** Those that its options have. */
  identities: Identity[]
  execution: Execution
  transactionHash: string
  height: number
}

/** Two submissions with this key would execute the same message. */
export function contentKey(typeUrl: string, message: Uint8Array): string {
  return contentHash(typeUrl, message).toString('hex')
}

/**
 * @param options.brand in the packages of the messages
 * @returns a function that finds the requests of the wallet in a block, in order
 */
export function createRequestReader(options: { address: string; brand: string }) {
  const { requestTransaction, requestSwapTransaction } = createMessageTypes(options.brand)
  const types = new Map([requestTransaction, requestSwapTransaction].map(type => [type.typeUrl, type]))

  /** What a message is known by; undefined for anything but a request of the wallet. */
  function read(typeUrl: string, value: Uint8Array) {
    const request = types.get(typeUrl)?.decode(value)
    return request?.creator === options.address ? { identities: identitiesIn(request) } : undefined
  }

  function requestsIn(tx: BlockTransaction, height: number): WalletRequest[] {
    const messages = messagesIn(tx)
    const requests = messages.map(({ typeUrl, value }) => read(typeUrl, value))
    if (requests.every(request => request === undefined)) return []
    const outcomes = messageOutcomes(
      tx,
      messages.map(() => '')
    )
    return messages.flatMap(({ typeUrl, value: message }, index) => {
      const request = requests[index]
      const execution = outcomes[index]
      if (request === undefined || execution === undefined) return []
      const content = contentKey(typeUrl, message)
      return { content, typeUrl, message, ...request, execution, transactionHash: tx.hash, height }
    })
  }

  return ({ transactions, height }: ChainBlock): WalletRequest[] =>
    transactions.filter(({ code }) => code === 0).flatMap(tx => requestsIn(tx, height))
}

/** The messages of a transaction; none when its bytes cannot be read, as those of other chain modules may. */
function messagesIn({ bytes }: BlockTransaction) {
  try {
    return TxBody.decode(TxRaw.decode(bytes).bodyBytes).messages
  } catch {
    return []
  }
}

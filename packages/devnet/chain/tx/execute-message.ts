import type { Any } from 'cosmjs-types/google/protobuf/any'
import { AbciError, toAbciError } from '../errors.ts'
import { type ChainEvent, createEvent, createEventList } from '../events.ts'
import type { MessageContext } from '../module.ts'
import type { DecodedMessage } from './decode.ts'

const OUT_OF_GAS = 11

/** The event before each message's own events: its type, its first signer and its module. */
function messageEvent({ handler, message }: DecodedMessage, events: readonly ChainEvent[]): ChainEvent {
  const sender = handler.signers(message)[0]
  const namesModule = events.some(({ attributes }) => attributes.some(({ key }) => key === 'module'))
  return createEvent('message', {
    action: handler.typeUrl,
    ...(sender !== undefined && { sender }),
    ...(!namesModule && { module: handler.module })
  })
}

/**
 * Executes one message.
 * @param before runs first; if it throws, the message is not executed and fails with that error
 * @throws AbciError with the message's `index`, unless it ran out of gas
 */
export function executeMessage(
  decoded: DecodedMessage,
  index: number,
  context: Omit<MessageContext, 'emit'>,
  before: () => void
): { response: Any; events: ChainEvent[] } {
  const { events, emit } = createEventList()
  try {
    before()
    const response = decoded.handler.execute(decoded.message, { ...context, emit })
    return { response, events: [messageEvent(decoded, events), ...events] }
  } catch (thrown) {
    const { codespace, code, message } = toAbciError(thrown)
    // Running out of gas is a panic in the SDK: it ends the transaction, not the message.
    const isPanic = !(thrown instanceof AbciError) || (codespace === 'sdk' && code === OUT_OF_GAS)
    if (isPanic) throw thrown
    throw new AbciError(codespace, code, `failed to execute message; message index: ${index}: ${message}`)
  }
}

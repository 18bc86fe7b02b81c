import type { Any } from 'cosmjs-types/google/protobuf/any'
import { AbciError, toAbciError } from '../errors.ts'
import { type ChainEvent, createEvent, createEventList } from '../events.ts'
import type { MessageContext } from '../module.ts'
import type { DecodedMessage } from './decode.ts'

const OUT_OF_GAS = 11

/** Creates the event that precedes a message's own events, with type, first signer and module. */
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
 * Executes a message.
 * @param before runs first; an error thrown here fails the message
 * @throws AbciError with the message's `index`, except when the message runs out of gas
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
    // In the SDK, running out of gas is a panic, so the error has no message index.
    const isPanic = !(thrown instanceof AbciError) || (codespace === 'sdk' && code === OUT_OF_GAS)
    if (isPanic) throw thrown
    throw new AbciError(codespace, code, `failed to execute message; message index: ${index}: ${message}`)
  }
}

import { createMessageTypes } from '../../services/messages/index.ts'

/**
 * Decodes the fields of a message for display, bytes in hex. Null for another message type or an undecodable message.
 * @param brand part of the message package names
 */
export function messageFields(brand: string, typeUrl: string, message: Uint8Array): object | null {
  const types = createMessageTypes(brand)
  const type = [types.requestTransaction, types.requestSwapTransaction].find(
    known => known.typeUrl === typeUrl
  )
  if (type === undefined) return null
  try {
    const fields = Object.entries(type.decode(message)).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
    ])
    return Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== 0))
  } catch {
    return null
  }
}

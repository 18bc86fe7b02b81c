import { createMessageTypes } from '../../services/messages/index.ts'

/**
 * The fields of an encoded request for people, bytes in hex; null for a message of another type, and for one that cannot be
 * decoded.
 * @param brand in the packages of the messages
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

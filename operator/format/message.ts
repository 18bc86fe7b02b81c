import { createMessageTypes } from '../../services/messages/index.ts'

/**
 * The fields of an encoded request for people, bytes in hex; undefined for a message of another type.
 * @param brand in the packages of the messages
 */
export function messageFields(brand: string, typeUrl: string, message: Uint8Array): object | undefined {
  const types = createMessageTypes(brand)
  const type = [types.requestTransaction, types.requestSwapTransaction].find(
    known => known.typeUrl === typeUrl
  )
  if (type === undefined) return undefined
  const fields = Object.entries(type.decode(message)).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  ])
  return Object.fromEntries(fields.filter(([, value]) => value !== '' && value !== 0))
}

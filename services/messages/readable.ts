import { createMessageTypes } from './index.ts'

/**
 * Decodes the fields of a message for display, bytes in hex.
 * @param brand the brand in the names of the message packages
 * @returns null for unknown message types and messages that cannot be decoded
 */
export function messageFields(
  brand: string,
  typeUrl: string,
  message: Uint8Array
): Record<string, unknown> | null {
  const type = Object.values(createMessageTypes(brand)).find(known => known.typeUrl === typeUrl)
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

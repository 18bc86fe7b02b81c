import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import type { Field } from './fields.ts'

/** The fields of a message, one entry per property, for both the encoder and the decoder. */
export type Fields<T> = { readonly [K in keyof T]: Field<T[K]> }

export interface Codec<T> {
  /** Writes the fields in order of their numbers, omitting default values (proto3). */
  encode(message: T, writer?: BinaryWriter): BinaryWriter
  /**
   * Reads `length` bytes from the reader's position, or all that remain. Skips unknown fields, and known fields with
   * another wire type. Missing fields get their default.
   * @throws RangeError if the bytes end too early
   */
  decode(input: BinaryReader | Uint8Array, length?: number): T
  /** Returns the message with defaults for the missing fields of `object`. */
  fromPartial(object: Partial<T>): T
}

export function createCodec<T extends object>(fields: Fields<T>): Codec<T> {
  const names = (Object.keys(fields) as (keyof T)[]).sort((a, b) => fields[a].number - fields[b].number)
  const byNumber = new Map(names.map(name => [fields[name].number, name]))

  const initial = Object.fromEntries(names.map(name => [name, fields[name].initial])) as T

  function encodeField<K extends keyof T>(name: K, message: T, writer: BinaryWriter): void {
    const field = fields[name]
    const value = message[name]
    if (!field.isDefault(value)) field.write(writer.tag(field.number, field.wireType), value)
  }

  function decodeField<K extends keyof T>(name: K, message: T, reader: BinaryReader): void {
    message[name] = fields[name].read(reader)
  }

  return {
    encode(message, writer = BinaryWriter.create()) {
      for (const name of names) encodeField(name, message, writer)
      return writer
    },

    decode(input, length) {
      const reader = input instanceof BinaryReader ? input : new BinaryReader(input)
      const end = length === undefined ? reader.len : reader.pos + length
      const message = { ...initial }
      while (reader.pos < end) {
        const [number, wireType] = reader.tag()
        const name = byNumber.get(number)
        if (name !== undefined && fields[name].wireType === wireType) decodeField(name, message, reader)
        else reader.skipType(wireType)
      }
      reader.assertBounds()
      return message
    },

    fromPartial(object) {
      const message = { ...initial }
      for (const name of names) message[name] = object[name] ?? message[name]
      return message
    }
  }
}

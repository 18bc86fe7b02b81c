import { type BinaryReader, type BinaryWriter, WireType } from 'cosmjs-types/binary'

/** A protobuf field. `write` and `read` handle the value without its tag. */
export interface Field<T> {
  readonly number: number
  readonly wireType: WireType
  readonly initial: T
  /** The proto3 default is not encoded. */
  readonly isDefault: (value: T) => boolean
  readonly write: (writer: BinaryWriter, value: T) => void
  readonly read: (reader: BinaryReader) => T
}

/** The message type that a table of fields describes. */
export type Message<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never
}

const scalar = <T>(
  number: number,
  wireType: WireType,
  initial: T,
  write: (writer: BinaryWriter, value: T) => void,
  read: (reader: BinaryReader) => T
): Field<T> => ({
  number,
  wireType,
  initial,
  isDefault: value => value === initial,
  write,
  read
})

/** A `string` field. Malformed Unicode cannot be encoded as UTF-8, and a chain would reject it. */
export function string(number: number): Field<string> {
  function write(writer: BinaryWriter, value: string): void {
    if (/\p{Surrogate}/u.test(value)) throw new RangeError(`field ${number} is not well-formed Unicode`)
    writer.string(value)
  }
  function read(reader: BinaryReader): string {
    const { buffer, byteOffset, length } = reader.bytes()
    // The reader's own function for strings makes an array of all characters.
    return Buffer.from(buffer, byteOffset, length).toString()
  }
  return scalar(number, WireType.Bytes, '', write, read)
}

export function bytes(number: number): Field<Uint8Array> {
  return {
    number,
    wireType: WireType.Bytes,
    initial: new Uint8Array(),
    isDefault: value => value.length === 0,
    write: (writer, value) => writer.bytes(value),
    read: reader => reader.bytes()
  }
}

export function uint32(number: number): Field<number> {
  function write(writer: BinaryWriter, value: number): void {
    if (value !== value >>> 0) throw new RangeError(`field ${number} is not a uint32`)
    writer.uint32(value)
  }
  return scalar(number, WireType.Varint, 0, write, reader => reader.uint32())
}

export function uint64(number: number): Field<bigint> {
  function write(writer: BinaryWriter, value: bigint): void {
    if (value !== BigInt.asUintN(64, value)) throw new RangeError(`field ${number} is not a uint64`)
    writer.uint64(value)
  }
  return scalar(number, WireType.Varint, 0n, write, reader => reader.uint64())
}

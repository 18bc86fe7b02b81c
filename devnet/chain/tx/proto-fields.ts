import { BinaryReader, WireType } from 'cosmjs-types/binary'
import { sdkError } from '../errors.ts'

/** The fields that a protobuf message may have. */
export interface KnownFields {
  /** The message's name as Go prints its type, such as `*tx.TxBody`. */
  readonly name: string
  readonly numbers: ReadonlySet<number>
  /** Whether other fields may be there when their numbers say that they are not critical (ADR-020). */
  readonly allowsUncritical?: boolean
}

export interface ProtoField {
  readonly number: number
  readonly wireType: number
}

const WIRE_TYPES: Readonly<Record<number, string>> = {
  [WireType.Varint]: 'varint',
  [WireType.Fixed64]: 'fixed64',
  [WireType.Bytes]: 'bytes',
  [WireType.Fixed32]: 'fixed32'
}
const UNCRITICAL = 1024

/** The numbers from 1 to `last`. */
export const fieldsUpTo = (last: number): ReadonlySet<number> =>
  new Set(Array.from({ length: last }, (_, index) => index + 1))

const INVALID_LENGTH = 'invalid length'

/** The fields of an encoded message, one after the other. @throws AbciError 2 for bytes that are no message */
export function* protoFields(bytes: Uint8Array): Generator<ProtoField> {
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const tag = orFail(() => reader.uint32())
    yield { number: tag >>> 3, wireType: tag & 7 }
    orFail(() => reader.skipType(tag & 7))
    if (tag >>> 3 === 0 || reader.pos > reader.len) throw sdkError('txDecode', INVALID_LENGTH)
  }
}

function orFail<T>(read: () => T): T {
  try {
    return read()
  } catch {
    throw sdkError('txDecode', INVALID_LENGTH)
  }
}

/** Refuses a message with fields that its type does not have. @throws AbciError 2 */
export function checkKnownFields(bytes: Uint8Array, { name, numbers, allowsUncritical }: KnownFields): void {
  for (const { number, wireType } of protoFields(bytes)) {
    if (numbers.has(number)) continue
    if (allowsUncritical && (number & UNCRITICAL) !== 0) continue
    throw sdkError(
      'txDecode',
      `errUnknownField "${name}": {TagNum: ${number}, WireType:"${WIRE_TYPES[wireType]}"}`
    )
  }
}

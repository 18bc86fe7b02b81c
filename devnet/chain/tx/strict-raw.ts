import { BinaryReader, WireType } from 'cosmjs-types/binary'
import { sdkError } from '../errors.ts'

const HIGHEST_FIELD = 3

/**
 * Refuses bytes that are not exactly one TxRaw: a transaction must have one encoding and one hash (ADR-027). Random
 * bytes usually fail here. @throws AbciError 2
 */
export function checkStrictRaw(bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes)
  let previous = 0
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const number = tag >>> 3
    const wireType = tag & 7
    if (wireType !== WireType.Bytes) {
      throw sdkError('txDecode', `expected ${WireType.Bytes} wire type, got ${wireType}`)
    }
    if (number === 0 || number > HIGHEST_FIELD) {
      throw sdkError(
        'txDecode',
        `errUnknownField "/cosmos.tx.v1beta1.TxRaw": {TagNum: ${number}, WireType:"bytes"}`
      )
    }
    if (number < previous || (number === previous && number !== HIGHEST_FIELD)) {
      throw sdkError(
        'txDecode',
        `txRaw must follow ascending order, got tagNum ${number} after tagNum ${previous}`
      )
    }
    previous = number
    reader.skipType(wireType)
  }
}

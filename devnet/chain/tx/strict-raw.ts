import { WireType } from 'cosmjs-types/binary'
import { sdkError } from '../errors.ts'
import { checkKnownFields, fieldsUpTo, protoFields } from './proto-fields.ts'

const HIGHEST_FIELD = 3
const TX_RAW = { name: '*tx.TxRaw', numbers: fieldsUpTo(HIGHEST_FIELD) }

/** @throws AbciError 2 with the reason, which the SDK gives only here */
function checkFirstTag(bytes: Uint8Array): void {
  const fail = (reason: string) => sdkError('txDecode', `invalid length; ${reason}`)
  const end = bytes.findIndex(byte => byte < 0x80)
  if (end < 0 && bytes.length > 0) {
    throw fail(bytes.length < 10 ? 'unexpected EOF' : 'proto: variable length integer overflow')
  }
  if (end === 0 && (bytes[0] ?? 0) < 8) throw fail('proto: invalid field number')
}

/**
 * Refuses bytes that are not exactly one TxRaw: a transaction must have one encoding and one hash (ADR-027). Random
 * bytes usually fail here. @throws AbciError 2
 */
export function checkStrictRaw(bytes: Uint8Array): void {
  checkFirstTag(bytes)
  let previous = 0
  for (const { number, wireType } of protoFields(bytes)) {
    if (wireType !== WireType.Bytes) {
      throw sdkError('txDecode', `expected ${WireType.Bytes} wire type, got ${wireType}`)
    }
    if (number < previous || (number === previous && number !== HIGHEST_FIELD)) {
      throw sdkError('txDecode', `txRaw must follow ADR-027, got tagNum ${number} after tagNum ${previous}`)
    }
    previous = number
  }
  checkKnownFields(bytes, TX_RAW)
}

import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto'
import { type CompactBitArray, MultiSignature } from 'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig'
import type { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing'
import type { ModeInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { PublicKey } from './public-keys.ts'

/** The bytes that a signer signs in a mode; undefined when the transaction cannot be signed in it. */
export type SignBytesOf = (mode: SignMode) => Uint8Array | undefined

/** Half of the order of secp256k1: of the two valid signatures, chains accept the one with the lower s. */
const halfOrder = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex')

/** How many bits an array holds: whole bytes unless the last one is partly used. */
function bitCount({ elems, extraBitsStored }: CompactBitArray): number {
  return extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored
}

/** Whether the key at `index` has signed; the first is the highest bit. */
export function isBitSet(bits: CompactBitArray, index: number): boolean {
  return ((bits.elems[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
}

function verifySingle(key: Uint8Array, signature: Uint8Array, signBytes: Uint8Array): boolean {
  if (signature.length !== 64 || Buffer.compare(signature.subarray(32), halfOrder) > 0) return false
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), sha256(signBytes), key)
  } catch {
    // Not a point of the curve, or numbers out of its range.
    return false
  }
}

function verifyMulti(
  { keys, threshold }: Extract<PublicKey, { kind: 'multisig' }>,
  { bitarray, modeInfos }: NonNullable<ModeInfo['multi']>,
  signature: Uint8Array,
  signBytesOf: SignBytesOf
): boolean {
  if (!bitarray || bitCount(bitarray) !== keys.length) return false
  const { signatures } = MultiSignature.decode(signature)
  const signing = keys.filter((_, index) => isBitSet(bitarray, index))
  if (signing.length < threshold || signatures.length !== signing.length) return false
  return signing.every((key, index) => {
    const modeInfo = modeInfos[index]
    const part = signatures[index]
    return modeInfo !== undefined && part !== undefined && verify(key, modeInfo, part, signBytesOf)
  })
}

/** Whether a signature, single or of many, is by `key` over what its mode signs. Malformed ones are not. */
export function verify(
  key: PublicKey,
  modeInfo: ModeInfo,
  signature: Uint8Array,
  signBytesOf: SignBytesOf
): boolean {
  if (key.kind === 'multisig') {
    return modeInfo.multi ? verifyMulti(key, modeInfo.multi, signature, signBytesOf) : false
  }
  const signBytes = modeInfo.single && signBytesOf(modeInfo.single.mode)
  return signBytes !== undefined && verifySingle(key.key, signature, signBytes)
}

/** A secp256k1 signature from which its signer can be recovered. */
export interface RecoverableSignature {
  /** r‖s, 64 bytes. */
  compact: Uint8Array
  /** 0 or 1. */
  recoveryBit: number
}

const SIXTY_FIVE_BYTES = /^(?:0x)?[0-9a-f]{130}$/i

/** Wallets write the recovery bit as 27 or 28, some as 0 or 1. */
const RECOVERY_BITS = new Map([
  [0, 0],
  [1, 1],
  [27, 0],
  [28, 1]
])

/** @returns undefined for a text that is not 65 bytes in hex, r‖s‖v */
export function readRecoverable(signature: string): RecoverableSignature | undefined {
  if (!SIXTY_FIVE_BYTES.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(-130), 'hex')
  const recoveryBit = RECOVERY_BITS.get(bytes.readUInt8(64))
  return recoveryBit === undefined
    ? undefined
    : { compact: new Uint8Array(bytes.subarray(0, 64)), recoveryBit }
}

import { pubkeyToRawAddress } from '@cosmjs/amino'
import { fromBase64, toBase64, toBech32 } from '@cosmjs/encoding'
import { decodePubkey } from '@cosmjs/proto-signing'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { sdkError } from '../../chain/errors.ts'
import type { Account } from './accounts.ts'

const SECP256K1 = '/cosmos.crypto.secp256k1.PubKey'
const multisigType = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/** A single secp256k1 key, compressed to 33 bytes, or a threshold of such keys. */
export type PublicKey =
  | { kind: 'secp256k1'; any: Any; key: Uint8Array }
  | { kind: 'multisig'; any: Any; threshold: number; keys: PublicKey[] }

/** Decodes a key. @throws AbciError when it is of a type that accounts cannot have */
export function decodePublicKey(any: Any): PublicKey {
  if (any.typeUrl === SECP256K1) {
    const { key } = PubKey.decode(any.value)
    if (key.length !== 33) throw sdkError('txDecode', `length of pubkey is incorrect: ${key.length}`)
    return { kind: 'secp256k1', any, key }
  }
  if (any.typeUrl === multisigType) {
    const { threshold, publicKeys } = LegacyAminoPubKey.decode(any.value)
    return { kind: 'multisig', any, threshold, keys: publicKeys.map(decodePublicKey) }
  }
  if (any.typeUrl === '/cosmos.crypto.ed25519.PubKey') {
    throw sdkError('invalidPubKey', 'ED25519 public keys are unsupported')
  }
  throw sdkError('txDecode', `unable to resolve type URL ${any.typeUrl}`)
}

/** The address that belongs to a key. */
export function publicKeyAddress(key: PublicKey, prefix: string): string {
  return toBech32(prefix, pubkeyToRawAddress(decodePubkey(key.any)))
}

export function toStored({ typeUrl, value }: Any): NonNullable<Account['pubKey']> {
  return { typeUrl, value: toBase64(value) }
}

export function fromStored(stored: NonNullable<Account['pubKey']>): Any {
  return { typeUrl: stored.typeUrl, value: fromBase64(stored.value) }
}

import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { fromBase64, toBase64, toBech32 } from '@cosmjs/encoding'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { sdkError } from '../errors.ts'
import type { Account } from './accounts.ts'

/** Decodes a compressed secp256k1 key (33 bytes). @throws AbciError for other key types */
export function decodePublicKey({ typeUrl, value }: Any): Uint8Array {
  if (typeUrl !== PubKey.typeUrl) throw sdkError('txDecode', `unable to resolve type URL ${typeUrl}`)
  const { key } = PubKey.decode(value)
  if (key.length !== 33) throw sdkError('txDecode', `length of pubkey is incorrect: ${key.length}`)
  return key
}

export function publicKeyAddress(key: Uint8Array, prefix: string): string {
  return toBech32(prefix, rawSecp256k1PubkeyToRawAddress(key))
}

export function toStored({ typeUrl, value }: Any): NonNullable<Account['pubKey']> {
  return { typeUrl, value: toBase64(value) }
}

export function fromStored(stored: NonNullable<Account['pubKey']>): Any {
  return { typeUrl: stored.typeUrl, value: fromBase64(stored.value) }
}

import { pubkeyToRawAddress } from '@cosmjs/amino'
import { fromBase64, toBase64, toBech32 } from '@cosmjs/encoding'
import { decodePubkey } from '@cosmjs/proto-signing'
import { LegacyAminoPubKey } from 'cosmjs-types/cosmos/crypto/multisig/keys'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { sdkError } from '../../chain/errors.ts'
import type { GenesisNode } from '../../chain/genesis-node.ts'
import type { Account } from './accounts.ts'

const secp256k1Type = '/cosmos.crypto.secp256k1.PubKey'
const multisigType = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/** A single secp256k1 key, compressed to 33 bytes, or a threshold of such keys. */
export type PublicKey =
  | { kind: 'secp256k1'; any: Any; key: Uint8Array }
  | { kind: 'multisig'; any: Any; threshold: number; keys: PublicKey[] }

/** Decodes a key. @throws AbciError when it is of a type that accounts cannot have */
export function decodePublicKey(any: Any): PublicKey {
  if (any.typeUrl === secp256k1Type) {
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

/** Addresses by key object: a waiting transaction is rechecked after every block with the same objects. */
const addresses = new WeakMap<Any, string>()

/** The address that belongs to a key. */
export function publicKeyAddress(key: PublicKey, prefix: string): string {
  const known = addresses.get(key.any)
  if (known?.startsWith(`${prefix}1`)) return known
  const address = toBech32(prefix, pubkeyToRawAddress(decodePubkey(key.any)))
  addresses.set(key.any, address)
  return address
}

export function toStored({ typeUrl, value }: Any): NonNullable<Account['pubKey']> {
  return { typeUrl, value: toBase64(value) }
}

export function fromStored(stored: NonNullable<Account['pubKey']>): Any {
  return { typeUrl: stored.typeUrl, value: fromBase64(stored.value) }
}

/** A key as a genesis writes it: `{"@type": …, "key": base64}`, or a threshold of such. */
export function publicKeyFromJson(node: GenesisNode): NonNullable<Account['pubKey']> {
  return toStored(anyFromJson(node))
}

function anyFromJson(node: GenesisNode): Any {
  const typeUrl = node.field('@type').string()
  if (typeUrl === secp256k1Type) {
    const key = Buffer.from(node.field('key').string(), 'base64')
    if (key.length !== 33) node.field('key').fail('must be the base64 of 33 bytes')
    return { typeUrl, value: PubKey.encode({ key }).finish() }
  }
  if (typeUrl === multisigType) {
    const threshold = Number(node.field('threshold').uint())
    const publicKeys = node.field('public_keys').items().map(anyFromJson)
    return { typeUrl, value: LegacyAminoPubKey.encode({ threshold, publicKeys }).finish() }
  }
  return node.field('@type').fail(`is ${typeUrl}, but this chain knows only secp256k1 and multisig keys`)
}

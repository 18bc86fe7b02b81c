import { createECDH, createHmac, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

/** Added to the number of a hardened child. */
const HARDENED = 2 ** 31

/** m/44'/118'/0'/0/0 (interface 17.1). */
const COSMOS_PATH = [HARDENED + 44, HARDENED + 118, HARDENED, 0, 0]

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

interface ExtendedKey {
  /** 32 bytes. */
  privateKey: Uint8Array
  chainCode: Uint8Array
}

/**
 * Derives the private key of a BIP-39 phrase without a passphrase (BIP-32). OpenSSL does in 4 ms what takes libraries in
 * JavaScript a tenth of a second of each start.
 *
 * @param mnemonic a valid, normalised phrase
 * @param path the numbers of the children, `2 ** 31` more for hardened ones
 * @returns 32 bytes, which share no memory with other buffers
 */
export async function derivePrivateKey(mnemonic: string, path = COSMOS_PATH): Promise<Uint8Array> {
  const phrase = bytesOf(mnemonic, 'utf8')
  const seed = await promisify(pbkdf2)(phrase, 'mnemonic', 2048, 64, 'sha512')
  const { privateKey } = path.reduce(child, masterKey(seed))
  for (const bytes of [phrase, seed]) bytes.fill(0)
  return privateKey
}

/** @returns the compressed secp256k1 public key, 33 bytes */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  const pair = createECDH('secp256k1')
  pair.setPrivateKey(privateKey)
  return Uint8Array.from(pair.getPublicKey(null, 'compressed'))
}

function masterKey(seed: Uint8Array): ExtendedKey {
  const [left, chainCode] = halves(createHmac('sha512', 'Bitcoin seed').update(seed).digest())
  return { privateKey: toKey(toNumber(left)), chainCode }
}

function child({ privateKey, chainCode }: ExtendedKey, index: number): ExtendedKey {
  const hmac = createHmac('sha512', chainCode)
  if (index >= HARDENED) hmac.update(Uint8Array.of(0)).update(privateKey)
  else hmac.update(publicKeyOf(privateKey))
  const bytes = new DataView(new ArrayBuffer(4))
  bytes.setUint32(0, index)
  const [left, nextChainCode] = halves(hmac.update(bytes).digest())
  const summand = toNumber(left)
  // Both cases of an invalid child are less likely than a guessed key.
  if (summand >= ORDER) throw new RangeError('The phrase has no key at this path')
  return { privateKey: toKey((summand + toNumber(privateKey)) % ORDER), chainCode: nextChainCode }
}

function halves(bytes: Uint8Array): [left: Uint8Array, right: Uint8Array] {
  return [bytes.subarray(0, 32), bytes.subarray(32)]
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`)
}

function toKey(number: bigint): Uint8Array {
  if (number === 0n || number >= ORDER) throw new RangeError('The phrase has no key at this path')
  return bytesOf(number.toString(16).padStart(64, '0'), 'hex')
}

/** `alloc`, because other functions of Buffer and of `crypto` put small texts into memory that later buffers share. */
function bytesOf(text: string, encoding: 'utf8' | 'hex'): Buffer {
  const bytes = Buffer.alloc(Buffer.byteLength(text, encoding))
  bytes.write(text, encoding)
  return bytes
}

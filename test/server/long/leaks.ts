import { createHash, pbkdf2Sync } from 'node:crypto'
import { Bip39, EnglishMnemonic, Slip10, Slip10Curve } from '@cosmjs/crypto'
import { makeCosmoshubPath } from '@cosmjs/proto-signing'
import { createBase58check } from '@scure/base'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** A value that must not appear in any encoding. */
export interface Secret {
  name: string
  /** String to search for in decoded text, as latin1. */
  needle: string
}

/** Encodings in which a secret might appear. `findLeaks` decodes all of them, even if they are nested. */
export const encodings: Record<string, (bytes: Buffer) => string> = {
  plain: bytes => bytes.toString('latin1'),
  hex: bytes => bytes.toString('hex'),
  'HEX with 0x': bytes => `0x${bytes.toString('hex').toUpperCase()}`,
  base64: bytes => bytes.toString('base64'),
  base64url: bytes => bytes.toString('base64url'),
  'a Basic header': bytes =>
    `Basic ${Buffer.concat([Buffer.from('user:'), bytes, Buffer.from(':')]).toString('base64')}`,
  'URL encoding': bytes => [...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'JSON escapes': bytes => [...bytes].map(byte => `\\u${byte.toString(16).padStart(4, '0')}`).join(''),
  'a list of numbers': bytes => JSON.stringify([...bytes]),
  'a Buffer as JSON': bytes => JSON.stringify(bytes),
  'a Uint8Array as JSON': bytes => JSON.stringify(new Uint8Array(bytes)),
  'an inspected Buffer': bytes =>
    `<Buffer ${[...bytes].map(byte => byte.toString(16).padStart(2, '0')).join(' ')}>`
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Derives the private key of a phrase at m/44'/118'/0'/0/0. */
async function privateKeyOf(mnemonic: string): Promise<Buffer> {
  const seed = await Bip39.mnemonicToSeed(new EnglishMnemonic(mnemonic))
  return Buffer.from(Slip10.derivePath(Slip10Curve.Secp256k1, seed, makeCosmoshubPath(0)).privkey)
}

/** Returns all forms of a wallet's secret: runs of three words, entropy, seed, private key and exported private key. */
export async function walletSecrets(mnemonic: string): Promise<Secret[]> {
  const words = mnemonic.split(' ')
  const key = await privateKeyOf(mnemonic)
  const wif = createBase58check(sha256)
  const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  return [
    ...words.slice(2).map((word, at) => ({
      name: `words ${at + 1} to ${at + 3}`,
      needle: ` ${words[at]} ${words[at + 1]} ${word} `
    })),
    { name: 'entropy', needle: latin1(mnemonicToEntropy(mnemonic, wordlist)) },
    { name: 'seed', needle: latin1(pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')) },
    { name: 'private key', needle: latin1(key) },
    { name: 'private key as a number', needle: String(BigInt(`0x${key.toString('hex')}`)) },
    { name: 'WIF', needle: wif.encode(Buffer.concat([Buffer.of(0x80), key])) },
    { name: 'WIF, compressed', needle: wif.encode(Buffer.concat([Buffer.of(0x80), key, Buffer.of(1)])) }
  ]
}

export function textSecret(name: string, needle: string): Secret {
  return { name, needle: Buffer.from(needle).toString('latin1') }
}

/** Maximum depth of nested encodings, such as a base64 header within JSON within JSON. */
const DEPTH = 3

/** Returns the names of the secrets that the string contains in plain or encoded form. */
export function findLeaks(text: string, secrets: readonly Secret[]): string[] {
  const all = new Set([text])
  let newest = [...all]
  for (let depth = 0; depth < DEPTH; depth++) {
    newest = newest.flatMap(decoded).filter(view => view !== '' && !all.has(view))
    for (const view of newest) all.add(view)
  }
  const views = [...all, ...[...all].map(asWords)]
  return secrets.filter(({ needle }) => views.some(view => view.includes(needle))).map(({ name }) => name)
}

/** Reduces a string to lower-case words separated by single spaces. */
const asWords = (text: string) => ` ${text.toLowerCase().replace(/[^a-z]+/g, ' ')} `

/** Decodes every part of a string that might be encoded. @returns one string per encoding */
function decoded(text: string): string[] {
  const part = (pattern: RegExp, decode: (match: string) => Buffer | string) =>
    [...text.matchAll(pattern)].map(([match]) => decode(match).toString('latin1')).join('\n')
  return [
    text.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    text.replace(/\\(["\\/bfnrt])/g, escaped => JSON.parse(`"${escaped}"`)),
    text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    part(/(?:[\da-f]{2}){4,}/gi, hex => Buffer.from(hex, 'hex')),
    part(/[\da-f](?:[\da-f]{2}){4,}/gi, hex => Buffer.from(hex.slice(1), 'hex')),
    part(/\b[\da-f]{2}(?: [\da-f]{2}){4,}/gi, hex => Buffer.from(hex.replaceAll(' ', ''), 'hex')),
    part(/[\w+/-]{6,}/g, base64 => Buffer.from(base64, 'base64')),
    part(/\d{1,3}(?:\s*,\s*(?:"\d+"\s*:\s*)?\d{1,3}){4,}/g, list =>
      Buffer.from(list.split(',').map(entry => Number(entry.slice(entry.indexOf(':') + 1))))
    )
  ]
}

import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import {
  Address,
  NETWORK,
  OutScript,
  p2pkh,
  p2sh,
  p2tr,
  p2wpkh,
  Script,
  TEST_NETWORK
} from '@scure/btc-signer'
import { hash160 } from '@scure/btc-signer/utils.js'
import type { Environment } from '../addresses/index.ts'
import { FIRST_TIME } from './chain-locks.ts'

/** The chain's name for this script (docs/payments.md#the-script). */
export const HTLC_VERSION = 'p2wsh-sha256-cltv-v1'

/** The latest timeout of a script: it has four bytes, and the highest bit is the sign. */
export const LAST_TIME = 2 ** 31 - 1

const networks = { mainnet: NETWORK, testnet: TEST_NETWORK }

/**
 * Returns the witness script: the pool may spend at any time, the sender after the timeout. It must be a time, which
 * needs four bytes: a height needs fewer, and nodes relay no reclaim whose script has superfluous bytes.
 * @param senderKey compressed
 * @param timeout in Unix seconds
 * @throws RangeError unless the timeout is a time
 */
export function htlcScript(poolKeyHash: Uint8Array, senderKey: Uint8Array, timeout: number): Uint8Array {
  if (!(timeout >= FIRST_TIME && timeout <= LAST_TIME)) throw new RangeError('the timeout is not a time')
  const locktime = new Uint8Array(4)
  new DataView(locktime.buffer).setUint32(0, timeout, true)
  const signedBy = (keyHash: Uint8Array) => ['DUP', 'HASH160', keyHash, 'EQUALVERIFY', 'CHECKSIG'] as const
  const isPool = ['DUP', 'HASH160', poolKeyHash, 'EQUAL'] as const
  const late = [locktime, 'CHECKLOCKTIMEVERIFY', 'DROP', ...signedBy(hash160(senderKey))] as const
  const byPool = signedBy(poolKeyHash)
  return Script.encode([...isPool, 'IF', ...byPool, 'ELSE', ...late, 'ENDIF', senderKey, 'DROP'])
}

/** Returns the address of a witness script, the hash in it, and the script of outputs to it, both in hex. */
export function htlcOutput(script: Uint8Array, environment: Environment) {
  const output = { type: 'wsh', hash: sha256(script) } as const
  return {
    address: Address(networks[environment]).encode(output),
    hash: hex.encode(output.hash),
    outputScript: hex.encode(OutScript.encode(output))
  }
}

/** Returns the hash of the key that an address of a network consists of; undefined for any other string. */
export function keyHashOf(address: string, environment: Environment): Uint8Array | undefined {
  try {
    const decoded = Address(networks[environment]).decode(address)
    return decoded.type === 'wpkh' || decoded.type === 'pkh' ? decoded.hash : undefined
  } catch {
    return undefined
  }
}

/** Returns whether a compressed key is the only one that can spend from an address, in the formats of wallets. */
export function ownsAddress(key: Uint8Array, address: string, environment: Environment): boolean {
  const on = networks[environment]
  try {
    const single = p2wpkh(key, on)
    const payments = [single, p2tr(key.slice(1), undefined, on), p2pkh(key, on), p2sh(single, on)]
    return payments.some(payment => payment.address === address)
  } catch {
    return false // The key is not on the curve.
  }
}

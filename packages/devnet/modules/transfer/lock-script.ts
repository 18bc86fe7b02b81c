import { hex } from '@scure/base'
import { p2wsh } from '@scure/btc-signer'
import { hash160, pubECDSA } from '@scure/btc-signer/utils.js'
import { POOL_BITCOIN_KEY } from '../../registry/pools.ts'

export interface LockTerms {
  /** The sender's compressed key in hex. */
  senderKey: string
  /** Unix time in seconds. */
  timeout: number
}

const poolKey = pubECDSA(hex.decode(POOL_BITCOIN_KEY))

/**
 * Returns a lock's witness script, version `p2wsh-sha256-cltv-v1`. Does not use the server's code, so that a mistake there is
 * noticed.
 */
export function lockScript({ senderKey, timeout }: LockTerms): Uint8Array {
  const time = Buffer.alloc(4)
  time.writeUInt32LE(timeout)
  const isKey = (key: Uint8Array) => `76a914${hex.encode(hash160(key))}`
  const byPool = `63${isKey(poolKey)}88ac`
  const late = `6704${hex.encode(time)}b175${isKey(hex.decode(senderKey))}88ac68`
  return hex.decode(`${isKey(poolKey)}87${byPool}${late}21${senderKey}75`)
}

/** Returns the script of outputs to a lock's address. */
export const lockOutput = (terms: LockTerms): Uint8Array =>
  p2wsh({ type: 'unknown', script: lockScript(terms) }).script

import { concatBytes } from '@noble/hashes/utils.js'
import { hex } from '@scure/base'
import { p2wpkh, p2wsh, SigHash, Transaction } from '@scure/btc-signer'
import { hash160, pubECDSA, signECDSA } from '@scure/btc-signer/utils.js'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Pool } from '../modules/transfer/settlement.ts'
import { POOL_BITCOIN_KEY } from '../registry/pools.ts'

/** What makes up a lock's script. */
export interface LockTerms {
  /** The sender's compressed key in hex. */
  senderKey: string
  /** Unix time in seconds. */
  timeout: number
}

/** Enough for a transaction with one input and one output. */
const FEE_SATS = 200n

const LockTransaction = Type.Object({
  vout: Type.Array(Type.Object({ value: Type.Integer(), scriptpubkey: Type.String() }))
})

const secret = hex.decode(POOL_BITCOIN_KEY)
const poolKey = pubECDSA(secret)

/**
 * Returns a lock's witness script, version `p2wsh-sha256-cltv-v1`. Does not use the server's code, so that a mistake there is
 * noticed.
 */
function lockScript({ senderKey, timeout }: LockTerms): Uint8Array {
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

/** Creates the pool's account on Bitcoin, which spends locks by its key. @param api the URL of an Esplora API */
export function createBitcoinPool(api: () => string): Pool {
  return {
    moves: (movement, { lock }) => movement === 'pull' && lock !== undefined,
    async move(_movement, { lock }) {
      if (lock === undefined) throw new Error('there is no lock')
      const { txid, vout } = lock
      const found: unknown = JSON.parse(await text(fetch(`${api()}/tx/${txid}`)))
      const output = Value.Check(LockTransaction, found) ? found.vout[vout] : undefined
      const script = lockOutput(lock)
      if (output?.scriptpubkey !== hex.encode(script)) throw new Error(`${txid}:${vout} is not the lock`)
      const amount = BigInt(output.value)
      const tx = new Transaction()
      tx.addInput({ txid, index: vout, witnessUtxo: { script, amount } })
      tx.addOutput({ script: p2wpkh(poolKey).script, amount: amount - FEE_SATS })
      const witnessScript = lockScript(lock)
      const digest = tx.preimageWitnessV0(0, witnessScript, SigHash.ALL, amount)
      const signature = concatBytes(signECDSA(digest, secret), Uint8Array.of(SigHash.ALL))
      tx.updateInput(0, { finalScriptWitness: [signature, poolKey, witnessScript] }, true)
      return text(fetch(`${api()}/tx`, { method: 'POST', body: tx.hex }))
    }
  }
}

async function text(responding: Promise<Response>): Promise<string> {
  const response = await responding
  const body = await response.text()
  if (!response.ok) throw new Error(body)
  return body
}

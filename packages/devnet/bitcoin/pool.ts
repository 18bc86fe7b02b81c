import { concatBytes } from '@noble/hashes/utils.js'
import { hex } from '@scure/base'
import { p2wpkh, SigHash, Transaction } from '@scure/btc-signer'
import { pubECDSA, signECDSA } from '@scure/btc-signer/utils.js'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { lockOutput, lockScript } from '../modules/transfer/lock-script.ts'
import type { Pool } from '../modules/transfer/settlement.ts'
import { POOL_BITCOIN_KEY } from '../registry/pools.ts'

/** The fee of the pool's transactions, enough for one input and one output. */
const FEE_SATS = 200n

const LockTransaction = Type.Object({
  vout: Type.Array(Type.Object({ value: Type.Integer(), scriptpubkey: Type.String() }))
})

const secret = hex.decode(POOL_BITCOIN_KEY)
const poolKey = pubECDSA(secret)

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

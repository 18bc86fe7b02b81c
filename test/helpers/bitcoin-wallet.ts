import { randomBytes } from 'node:crypto'
import { hex } from '@scure/base'
import { type p2pkh, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'

const FEE_SATS = 500

export type BitcoinWallet = ReturnType<typeof createBitcoinWallet>

/** @param payment the format of its address: P2PKH addresses are the same on all test networks */
export function createBitcoinWallet(payment: typeof p2wpkh | typeof p2pkh = p2wpkh) {
  const secret = randomBytes(32)
  const { address = '', script } = payment(pubECDSA(secret), TEST_NETWORK)
  return {
    address,
    /** Compressed, in hex. */
    publicKey: hex.encode(pubECDSA(secret)),
    /** Pays from the oldest outputs, over an Esplora API. @returns the txid @throws Error with the API's reason */
    async pay(api: string, to: string, sats: number): Promise<string> {
      const response = await fetch(`${api}/address/${address}/utxo`)
      const outputs = (await response.json()) as { txid: string; vout: number; value: number }[]
      const tx = new Transaction({ allowLegacyWitnessUtxo: true })
      let change = -sats - FEE_SATS
      for (const { txid, vout, value } of outputs) {
        if (change >= 0) break
        tx.addInput({ txid, index: vout, witnessUtxo: { script, amount: BigInt(value) } })
        change += value
      }
      tx.addOutputAddress(to, BigInt(sats), TEST_NETWORK)
      tx.addOutputAddress(address, BigInt(change), TEST_NETWORK)
      tx.sign(secret)
      tx.finalize()
      const sent = await fetch(`${api}/tx`, { method: 'POST', body: tx.hex })
      const text = await sent.text()
      if (!sent.ok) throw new Error(text)
      return text
    }
  }
}

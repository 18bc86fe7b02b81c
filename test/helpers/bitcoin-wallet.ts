import { randomBytes } from 'node:crypto'
import { hex } from '@scure/base'
import { p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'

const FEE_SATS = 500

interface Output {
  txid: string
  vout: number
  value: number
}

/** Creates a wallet with a new key on a Bitcoin network behind an Esplora API, as a user has one in the browser. */
export function createBitcoinWallet(api: string, network = TEST_NETWORK) {
  const secret = randomBytes(32)
  const payment = p2wpkh(pubECDSA(secret), network)
  const address = String(payment.address)
  return {
    address,
    /** Compressed, in hex. */
    publicKey: hex.encode(pubECDSA(secret)),
    /** Signs and sends a payment from the wallet's outputs. @returns its txid @throws Error with the API's reason */
    async pay(to: string, sats: number): Promise<string> {
      const response = await fetch(`${api}/address/${address}/utxo`)
      const outputs = (await response.json()) as Output[]
      const tx = new Transaction()
      for (const { txid, vout, value } of outputs)
        tx.addInput({
          txid,
          index: vout,
          witnessUtxo: { script: payment.script, amount: BigInt(value) }
        })
      tx.addOutputAddress(to, BigInt(sats), network)
      const change = outputs.reduce((sum, { value }) => sum + value, 0) - sats - FEE_SATS
      tx.addOutputAddress(address, BigInt(change), network)
      tx.sign(secret)
      tx.finalize()
      const sent = await fetch(`${api}/tx`, { method: 'POST', body: tx.hex })
      const text = await sent.text()
      if (!sent.ok) throw new Error(text)
      return text
    }
  }
}

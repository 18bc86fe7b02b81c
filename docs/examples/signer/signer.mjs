import { request } from 'node:http'
import { makeSignBytes } from '@cosmjs/proto-signing'

/**
 * A signer for SERVICE_SIGNER: it passes each transaction to a program that has the key, over a Unix socket that only
 * the server and that program can open. Copy the file, change what goes over the socket, and set SERVICE_SIGNER to its
 * path.
 */
const SOCKET = process.env.SIGNER_SOCKET ?? '/run/signer/signer.sock'

/** A program that does not answer is asked again by the service; it must not keep the connection meanwhile. */
const MOST_MS = 4000

function ask(path, body) {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(MOST_MS)
    const call = request({ socketPath: SOCKET, path, method: 'POST', signal }, async response => {
      try {
        const chunks = await response.toArray()
        if (response.statusCode !== 200) throw new Error(`the signing program answers ${response.statusCode}`)
        resolve(JSON.parse(Buffer.concat(chunks).toString()))
      } catch (error) {
        reject(error)
      }
    })
    call.on('error', reject).end(JSON.stringify(body))
  })
}

/** @returns an OfflineDirectSigner of CosmJS, or a promise of one */
export default async function createSigner() {
  const { address, publicKey } = await ask('/account', {})
  const pubkey = Buffer.from(publicKey, 'base64')
  return {
    getAccounts: async () => [{ address, algo: 'secp256k1', pubkey }],
    async signDirect(_address, document) {
      // The program reads the transaction before it signs: that is where a policy of its own belongs.
      const bytes = Buffer.from(makeSignBytes(document)).toString('base64')
      const { signature } = await ask('/sign', { bytes })
      const key = { type: 'tendermint/PubKeySecp256k1', value: publicKey }
      return { signed: document, signature: { pub_key: key, signature } }
    }
  }
}

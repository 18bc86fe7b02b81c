import fp from 'fastify-plugin'
import { transactionId } from '../../services/fiat/transaction-id.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Pick<Signer, 'address'>
    transactionId: (seed: string) => Promise<string>
  }
}

/**
 * `app.signer`: the wallet's address. Only plugins that receive the wallet as an option sign.
 * `app.transactionId`: derives a payment's id at the payment provider from its seed (interface 10.12).
 */
export default fp<{ wallet: Signer }>(
  async (app, { wallet }) => {
    app.decorate('signer', Object.freeze({ address: wallet.address }))
    app.decorate('transactionId', (seed: string) => transactionId(seed, wallet))
  },
  { name: 'signer' }
)

import fp from 'fastify-plugin'
import { transactionId } from '../../services/rails/transaction-id.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    transactionId: (seed: string) => Promise<string>
  }
}

/** `app.transactionId`: the id under which a payment provider knows the payment of a seed (interface 10.11). */
export default fp<{ wallet: Signer }>(
  async (app, { wallet }) => {
    app.decorate('transactionId', (seed: string) => transactionId(seed, wallet))
  },
  { name: 'transaction-id' }
)

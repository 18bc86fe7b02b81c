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
 * `app.signer`: who the wallet is; what it can sign stays with the plugins that get it as an option (interface 12.9).
 * `app.transactionId`: the id under which a payment provider knows the payment of a seed (interface 10.11).
 */
export default fp<{ wallet: Signer }>(
  async (app, { wallet }) => {
    app.decorate('signer', Object.freeze({ address: wallet.address }))
    app.decorate('transactionId', (seed: string) => transactionId(seed, wallet))
  },
  { name: 'signer' }
)

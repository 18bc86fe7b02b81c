import fp from 'fastify-plugin'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Pick<Signer, 'address'>
  }
}

/** `app.signer`: who the wallet is. What it can sign stays with the plugins that get it as an option (interface 12.9). */
export default fp<{ wallet: Signer }>(
  async (app, { wallet: { address } }) => {
    app.decorate('signer', Object.freeze({ address }))
  },
  { name: 'signer' }
)

import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { transactionId } from '../../services/fiat/transaction-id.ts'
import { openSigner } from '../../services/wallet/open.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Signer
    transactionId: (seed: string) => Promise<string>
  }
}

/**
 * `app.signer`: the service's wallet (interface 17.1). `app.transactionId`: derives a payment's id at the payment
 * provider from its seed (interface 10.12).
 */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { mnemonic } }) => {
    const signer = await openSigner(app.config, mnemonic)
    app.decorate('signer', signer)
    app.decorate('transactionId', (seed: string) => transactionId(seed, signer))
  },
  { name: 'signer', dependencies: ['config'] }
)

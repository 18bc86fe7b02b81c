import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { openSigner } from '../../services/wallet/open.ts'
import type { Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Signer
  }
}

/** `app.signer`: the service's wallet (interface 17.1). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets: { mnemonic } }) => {
    app.decorate('signer', await openSigner(app.config, mnemonic))
  },
  { name: 'signer', dependencies: ['config'] }
)

import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createSigner, type Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Signer
  }
}

/** `app.signer`: the wallet of SERVICE_BACKEND_MNEMONIC, derived once at the start. */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const { mnemonic } = secrets
    app.decorate('signer', await createSigner({ mnemonic, prefix: app.config.SERVICE_CHAIN_PREFIX }))
  },
  { name: 'signer', dependencies: ['config'] }
)

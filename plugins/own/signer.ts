import fp from 'fastify-plugin'
import type { Secrets } from '../../config/index.ts'
import { createSigner, type Signer } from '../../services/wallet/signer.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signer: Signer
  }
}

/** `app.signer`: the wallet of the mnemonic, derived once, at the start (interface 17.1). */
export default fp<{ secrets: Secrets }>(
  async (app, { secrets }) => {
    const { mnemonic } = secrets
    app.decorate('signer', await createSigner({ mnemonic, prefix: app.config.SERVICE_CHAIN_PREFIX }))
  },
  { name: 'signer', dependencies: ['config'] }
)

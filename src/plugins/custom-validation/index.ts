import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { assertValid } from '../../services/custom-validation.ts'
import { registerCustomPlugin } from './custom-plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What the integrator says of a submission, after all other checks of it: '' = valid, else why not. */
    customTransValidation: (request: FastifyRequest) => string | Promise<string>
    /** preHandler of the submit routes. Throws CUSTOM_VALIDATION, or a fault when the validation itself fails. */
    assertCustomValid: (request: FastifyRequest) => Promise<void>
  }
}

/** `app.customTransValidation`: that of SERVICE_CUSTOM_PLUGIN, or one that accepts all (contract §6). */
export default fp(
  async app => {
    const { SERVICE_CUSTOM_PLUGIN: path } = app.config
    if (path === undefined) app.decorate('customTransValidation', () => '')
    else await registerCustomPlugin(app, path)
    app.decorate('assertCustomValid', request => assertValid(() => app.customTransValidation(request)))
  },
  { name: 'custom-validation', dependencies: ['config'] }
)

import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import { createClientAddress } from '../../services/http/client-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of a request's client, also of one that no route or hook gets to see. */
    clientAddress(request: IncomingMessage): string
  }
}

/** `request.ip` is the client's address in one spelling, whoever the proxies are (interface 14.13, 14.14). */
export default fp(
  async app => {
    const clientAddress = createClientAddress(app.config.TRUST_PROXY)
    app.decorate('clientAddress', clientAddress)
    // In place of the framework's own, which keeps ports and spellings.
    app.decorateRequest('ip', {
      getter() {
        return clientAddress(this.raw)
      }
    })
  },
  { name: 'client-address', dependencies: ['config'] }
)

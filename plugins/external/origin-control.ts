import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

/** Refuses requests of pages that DOMAIN does not list, before any handler runs, and their preflights (interface 14.1). */
export default fp(
  async app => {
    app.addHook('onRequest', ({ isForeign }, _reply, done) => {
      if (isForeign) done(new ServiceError('ORIGIN_BLOCKED', 'Requests from this origin are not accepted'))
      else done()
    })
  },
  // They are counted before.
  { name: 'origin-control', dependencies: ['cors', 'rate-limit'] }
)

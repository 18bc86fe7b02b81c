import fp from 'fastify-plugin'
import type { Encoded } from '../../services/requests/request.ts'
import { createRouteChecks, type RouteChecks } from '../../services/requests/route-checks.ts'

declare module 'fastify' {
  interface FastifyInstance {
    routeChecks: RouteChecks
  }
  interface FastifyRequest {
    /** On the submit routes, once their fields are checked: the submission in the chain’s words. */
    prepared: Encoded | null
  }
}

/** `app.routeChecks`: whether a submission's chains, addresses and tokens may be, and `request.prepared`. */
export default fp(
  async app => {
    const { config, chainFilter, chains } = app
    app.decorate(
      'routeChecks',
      createRouteChecks({ environment: config.SERVICE_ENVIRONMENT, filter: chainFilter, chains })
    )
    app.decorateRequest('prepared', null)
  },
  { name: 'submit-checks', dependencies: ['config', 'chain-filter', 'chains'] }
)

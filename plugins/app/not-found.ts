import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'
import { createMethods } from '../../services/http/methods.ts'

/**
 * A route that does not exist is a 404 (interface 3.10), one that has other methods a 405 (interface 3.21). Both count against
 * the rate limit.
 */
export default fp(
  async app => {
    const methods = createMethods()
    app.addHook('onRoute', ({ url, method }) => methods.add(url, [method].flat()))
    app.setNotFoundHandler(({ url }) => {
      const allowed = methods.of(url)
      if (allowed.length === 0) throw new ServiceError('ROUTE_NOT_FOUND')
      const allow = [...allowed, 'OPTIONS'].join(', ')
      throw new ServiceError('METHOD_NOT_ALLOWED', `The method must be one of ${allow}`, {
        headers: { allow }
      })
    })
  },
  { name: 'not-found', dependencies: ['error-handler'] }
)

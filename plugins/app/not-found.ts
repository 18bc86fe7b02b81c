import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

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

/** The methods of routes, by their patterns. */
function createMethods() {
  const routes = new Map<string, Set<string>>()

  return {
    /** @param pattern of Fastify's, such as `/tx/:txId/status` */
    add(pattern: string, methods: readonly string[]): void {
      const path = withoutSlash(pattern)
      routes.set(path, new Set([...(routes.get(path) ?? []), ...methods]))
    },
    /** The methods of the routes that a URL has; none where it has no route. */
    of(url: string): string[] {
      const [path = ''] = url.split('?', 1)
      const segments = withoutSlash(path).split('/')
      return [...routes].flatMap(([pattern, methods]) =>
        matches(pattern.split('/'), segments) ? [...methods] : []
      )
    }
  }
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => part.startsWith(':') || part === segments[index])
}

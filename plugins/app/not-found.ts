import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

/**
 * Responds 404 for unknown routes (interface 3.10), and 405 for methods that a known route does not support (interface
 * 3.21).
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

function createMethods() {
  const routes = new Map<string, Set<string>>()

  return {
    /** Adds a route. @param pattern a Fastify pattern, such as `/tx/:txId/status` */
    add(pattern: string, methods: readonly string[]): void {
      const path = withoutSlash(pattern)
      routes.set(path, new Set([...(routes.get(path) ?? []), ...methods]))
    },
    /** Returns the methods of the routes that match a URL. */
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

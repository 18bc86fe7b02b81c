import fp from 'fastify-plugin'
import { ServiceError } from '../../services/errors/index.ts'

/** Responds 404 for unknown routes (interface 3.10), and 405 for other methods of known routes. */
export default fp(
  async app => {
    /** Methods by the route's pattern, such as `/tx/:txId/status`. */
    const routes = new Map<string, Set<string>>()
    app.addHook('onRoute', ({ url, method }) => {
      const pattern = withoutSlash(url)
      routes.set(pattern, new Set([...(routes.get(pattern) ?? []), ...[method].flat()]))
    })
    app.setNotFoundHandler(({ url }) => {
      const [path = ''] = url.split('?', 1)
      const segments = withoutSlash(path).split('/')
      const matching = [...routes].filter(([pattern]) => matches(pattern.split('/'), segments))
      if (matching.length === 0) throw new ServiceError('ROUTE_NOT_FOUND')
      const allow = [...matching.flatMap(([, methods]) => [...methods]), 'OPTIONS'].join(', ')
      throw new ServiceError('METHOD_NOT_ALLOWED', `The method must be one of ${allow}`, {
        headers: { allow }
      })
    })
  },
  { name: 'not-found', dependencies: ['error-handler'] }
)

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => part.startsWith(':') || part === segments[index])
}

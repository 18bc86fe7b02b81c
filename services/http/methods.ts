/** The methods of routes, by their patterns. */
export interface Methods {
  /** @param pattern of Fastify's, such as `/tx/:txId/status` */
  add(pattern: string, methods: readonly string[]): void
  /** The methods of the routes that a URL has; none where it has no route. */
  of(url: string): string[]
}

export function createMethods(): Methods {
  const routes = new Map<string, Set<string>>()

  return {
    add(pattern, methods) {
      const path = withoutSlash(pattern)
      const known = routes.get(path) ?? new Set()
      for (const method of methods) known.add(method)
      routes.set(path, known)
    },
    of(url) {
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

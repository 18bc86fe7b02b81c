/** The methods of routes, by their patterns. */
export function createMethods() {
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

import type { Instruments } from './instruments.ts'

/** @param route the pattern of the route, never the URL; undefined for a route that does not exist */
export type RequestObserver = (
  method: string,
  route: string | undefined,
  status: number,
  seconds: number
) => void

/** Reports the answered requests. Methods, routes and statuses are few, so their observers are kept. */
export function createRequestObserver({ requests }: Instruments): RequestObserver {
  type Observe = (seconds: number) => void
  const byMethod = new Map<string, Map<string, Map<number, Observe>>>()

  return (method, pattern = 'none', status, seconds) => {
    const byRoute = entry(byMethod, method, () => new Map<string, Map<number, Observe>>())
    const byStatus = entry(byRoute, pattern, () => new Map<number, Observe>())
    entry(byStatus, status, () => requests.child({ method, route: routeOf(pattern), status }))(seconds)
  }
}

function entry<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const created = create()
  map.set(key, created)
  return created
}

/** A route answers with and without a trailing slash. */
function routeOf(pattern: string): string {
  return pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern
}

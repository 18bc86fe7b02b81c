/** An entry of `DOMAIN`. Without a port, it matches every port of its host (interface 14.3). */
export interface OriginPattern {
  protocol: string
  /** Normalized: lower case, punycode, IPv6 in brackets. */
  hostname: string
  port: string | undefined
}

/** Capacitor and Ionic apps have an origin with a scheme of their own, such as `capacitor://localhost`. */
const entryShape = /^(?:(https?|capacitor|ionic):\/\/)?([^/?#@:*[\]\s]+|\[[^\]]+\])(?::(\d{1,5}))?\/?$/i

const defaultPorts = new Map([
  ['http:', '80'],
  ['https:', '443']
])

/**
 * Parses an entry of `DOMAIN` other than `*`. The scheme defaults to https.
 * @returns undefined for an entry with a path, a query, credentials or a wildcard within its host (interface 14.3)
 */
export function parseOriginPattern(entry: string): OriginPattern | undefined {
  const [, scheme = 'https', host, port] = entryShape.exec(entry) ?? []
  if (host === undefined) return undefined
  const text = `${scheme}://${host}${port === undefined ? '' : `:${port}`}`
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname } = new URL(text)
  return { protocol, hostname: hostname.toLowerCase(), port: port && String(Number(port)) }
}

/**
 * Creates a function that tests whether `DOMAIN` lists an `Origin` header (interface 14.1). It remembers the last one,
 * because each request is tested twice, and most have the same.
 */
export function createOriginMatcher(entries: readonly string[]): (origin: string) => boolean {
  if (entries.includes('*')) return () => true
  const patterns = entries.map(parseOriginPattern)
  function isListed(origin: string): boolean {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    // Browsers send nothing but the origin, so a longer value is invalid. `URL.origin` is null for an app's scheme.
    if (url === undefined || `${url.protocol}//${url.host}` !== origin) return false
    const port = url.port || defaultPorts.get(url.protocol)
    return patterns.some(
      pattern =>
        pattern?.protocol === url.protocol &&
        pattern.hostname === url.hostname &&
        (pattern.port === undefined || pattern.port === port)
    )
  }
  let last = { origin: '', isListed: false }
  return origin => {
    if (origin !== last.origin) last = { origin, isListed: isListed(origin) }
    return last.isListed
  }
}

/** One entry of `DOMAIN`; without a port it stands for every port of its host (contract §2). */
export interface OriginPattern {
  protocol: 'http:' | 'https:'
  /** As the URL standard writes it: lower case, punycode, IPv6 in brackets. */
  hostname: string
  port: string | undefined
}

const entryShape = /^(?:(https?):\/\/)?([^/?#@:*[\]\s]+|\[[^\]]+\])(?::(\d{1,5}))?\/?$/i
const defaultPorts = { 'http:': '80', 'https:': '443' }

/**
 * Reads one entry of `DOMAIN` other than `*`; the scheme defaults to https.
 *
 * @returns undefined when it is not an origin: a path, a query, credentials, a wildcard within a host
 */
export function parseOriginPattern(entry: string): OriginPattern | undefined {
  const [, scheme = 'https', host, port] = entryShape.exec(entry) ?? []
  if (host === undefined) return undefined
  const text = `${scheme}://${host}${port === undefined ? '' : `:${port}`}`
  if (!URL.canParse(text)) return undefined
  return {
    protocol: scheme.toLowerCase() === 'http' ? 'http:' : 'https:',
    hostname: new URL(text).hostname,
    port
  }
}

/** Tells whether a request's `Origin` header is one that `DOMAIN` lists; `*` lists all. */
export function createOriginMatcher(entries: readonly string[]): (origin: string) => boolean {
  if (entries.includes('*')) return () => true
  const patterns = entries.map(parseOriginPattern)
  return origin => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    // A browser's Origin is exactly that: anything longer does not come from one.
    if (url === undefined || url.origin !== origin) return false
    return patterns.some(
      pattern =>
        pattern?.protocol === url.protocol &&
        pattern.hostname === url.hostname &&
        (pattern.port === undefined || pattern.port === (url.port || defaultPorts[pattern.protocol]))
    )
  }
}

/** One entry of `DOMAIN`. Without a port it stands for every port of its host (interface 14.3 and 14.4). */
export interface OriginPattern {
  protocol: 'http:' | 'https:'
  /** In the form of the URL standard: lower case, punycode, IPv6 in brackets. */
  hostname: string
  port: string | undefined
}

const entryShape = /^(?:(https?):\/\/)?([^/?#@:*[\]\s]+|\[[^\]]+\])(?::(\d{1,5}))?\/?$/i
const defaultPorts = { 'http:': '80', 'https:': '443' }

/**
 * Reads one entry of `DOMAIN` other than `*`. The scheme defaults to https.
 *
 * @returns undefined for an entry with a path, a query, credentials or a wildcard within its host (interface 14.6)
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

/** A function that is true for an `Origin` header that `DOMAIN` lists (interface 14.1). `*` lists all. */
export function createOriginMatcher(entries: readonly string[]): (origin: string) => boolean {
  if (entries.includes('*')) return () => true
  const patterns = entries.map(parseOriginPattern)
  return origin => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    // Browsers send exactly an origin. Anything longer does not come from one.
    if (url === undefined || url.origin !== origin) return false
    return patterns.some(
      pattern =>
        pattern?.protocol === url.protocol &&
        pattern.hostname === url.hostname &&
        (pattern.port === undefined || pattern.port === (url.port || defaultPorts[pattern.protocol]))
    )
  }
}

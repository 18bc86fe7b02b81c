/**
 * The URL of an upstream as its operator configured it. Its credentials, path and query may be secrets (keys of
 * providers): only `host` may appear in a log, an error or `/ready` (interface 1.9).
 */
export interface UpstreamUrl {
  /** Scheme, host and port. */
  readonly origin: string
  /** Host and port. */
  readonly host: string
  /** The `authorization` header for the URL's credentials; empty without. */
  readonly headers: Record<string, string>
  /** The request target of `path`, which may be a query alone, below this URL. The URL's own query stays. */
  target(path: string): string
  /** Takes the URL's own secrets out of a text: upstreams repeat what they were asked, in their errors too. */
  scrub(text: string): string
}

/** @param text an absolute http(s) URL without a fragment */
export function parseUpstreamUrl(text: string): UpstreamUrl {
  const url = new URL(text)
  const path = url.pathname.replace(/\/+$/, '')
  const ownQuery = url.search.slice(1)
  const secrets = secretsOf(url, path)

  return {
    origin: url.origin,
    host: url.host,
    headers: authorization(url),
    target(below) {
      const [belowPath = '', ...query] = `${path}${below}`.split('?')
      const queries = [...query, ownQuery].filter(Boolean)
      return `${belowPath || '/'}${queries.length > 0 ? `?${queries.join('&')}` : ''}`
    },
    scrub: message => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), message)
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Shorter parts of a URL are words such as `rpc` or `v2`, which texts have for other reasons. */
const MIN_SECRET_LENGTH = 6

/** The longest first, so that no part of one is left behind; in both spellings, encoded and not. */
function secretsOf(url: URL, path: string): string[] {
  const query = url.search.slice(1)
  const parts = [...path.split('/'), ...query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1))]
  const encoded = [path, query, url.username, url.password, ...parts]
  const all = new Set([...encoded, ...encoded.map(decode)])
  return [...all].filter(secret => secret.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

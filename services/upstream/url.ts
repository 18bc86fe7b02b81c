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
  /**
   * Takes the URL's own secrets and the credentials of any URL out of a text: upstreams repeat what they were asked, in their errors
   * too.
   */
  scrub(text: string): string
}

/** @param text an absolute http(s) URL without a fragment */
export function parseUpstreamUrl(text: string): UpstreamUrl {
  const url = new URL(text)
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  const ownQuery = url.search.slice(1)
  const credentials = credentialsOf(url)
  const secrets = secretsOf(url, path, credentials)

  return {
    origin: url.origin,
    host: url.host,
    headers: credentials === undefined ? {} : { authorization: `Basic ${credentials}` },
    target(below) {
      const [belowPath = '', ...query] = `${path}${below}`.split('?')
      const queries = [...query, ownQuery].filter(Boolean)
      return `${belowPath || '/'}${queries.length > 0 ? `?${queries.join('&')}` : ''}`
    },
    scrub: message =>
      secrets
        .reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), message)
        .replace(USER_INFO, '//[secret]@')
  }
}

/** As Basic authentication writes them; undefined for a URL without. */
function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
}

const USER_INFO = /\/\/[^\s/]+@/g

/** Shorter parts of a URL are words such as `rpc` or `v2`, which texts have for other reasons. */
const MIN_SECRET_LENGTH = 6

/** The longest first, so that no part of one is left behind; in every spelling that an upstream may repeat. */
function secretsOf(url: URL, path: string, credentials = ''): string[] {
  const query = url.search.slice(1)
  const parts = [...path.split('/'), ...query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1))]
  const written = [path, query, url.username, url.password, credentials, ...parts]
  const all = new Set(written.flatMap(text => [text, ...spellings(decode(text))]))
  return [...all].filter(secret => secret.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

/** A text as it is, within a URL and within JSON. */
function spellings(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
}

/** A text with a `%` that encodes nothing stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

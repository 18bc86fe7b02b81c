/**
 * The URL of an upstream. Only its `host` may appear in a log, in an error or in `/ready`, because the rest can contain
 * secrets (interface 1.9).
 */
export interface UpstreamUrl {
  origin: string
  host: string
  headers: Record<string, string>
  /** Returns the request target for a path or a query below this URL, including the URL's own query. */
  target(below: string): string
  /** Removes this URL's secrets and any URL's credentials from a string, because upstreams echo requests. */
  scrub(message: string): string
}

/** @param text an absolute http(s) URL without a fragment */
export function parseUpstreamUrl(text: string): UpstreamUrl {
  const url = new URL(text)
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  const ownQuery = url.search.slice(1)
  const credentials = credentialsOf(url)
  const headers: Record<string, string> =
    credentials === undefined ? {} : { authorization: `Basic ${credentials}` }
  const secrets = secretsOf(url, path, credentials)

  return {
    origin: url.origin,
    host: url.host,
    headers,
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

function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
}

const USER_INFO = /\/\/[^\s/]+@/g

/** Parts below this length are ordinary words, such as `rpc` or `v2`. */
const MIN_SECRET_LENGTH = 6

/** The secrets in every spelling that an upstream might echo, longest first, so that no part of a secret remains. */
function secretsOf(url: URL, path: string, credentials = ''): string[] {
  const query = url.search.slice(1)
  const parts = [...path.split('/'), ...query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1))]
  const written = [path, query, url.username, url.password, credentials, ...parts]
  const all = new Set(written.flatMap(text => [text, ...spellings(decode(text))]))
  return [...all].filter(secret => secret.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
}

function spellings(text: string): string[] {
  return [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]
}

/** Returns a string with an invalid `%` escape unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

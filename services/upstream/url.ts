import { addSecrets } from '../secrets.ts'

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
}

/**
 * Reads a URL, and adds its secrets to those that are removed from what upstreams send.
 * @param text an absolute http(s) URL without a fragment
 */
export function parseUpstreamUrl(text: string): UpstreamUrl {
  const url = new URL(text)
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  const ownQuery = url.search.slice(1)
  const credentials = credentialsOf(url)
  const headers: Record<string, string> =
    credentials === undefined ? {} : { authorization: `Basic ${credentials}` }
  addSecretsOf(url, path, credentials)

  return {
    origin: url.origin,
    host: url.host,
    headers,
    target(below) {
      const [belowPath = '', ...query] = `${path}${below}`.split('?')
      const queries = [...query, ownQuery].filter(Boolean)
      return `${belowPath || '/'}${queries.length > 0 ? `?${queries.join('&')}` : ''}`
    }
  }
}

function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
}

/** Ordinary words, such as `graphql` or `mainnet`, which are not secrets but occur in many texts. */
const WORD = /^[a-z]{0,11}$/

function addSecretsOf(url: URL, path: string, credentials = ''): void {
  const query = url.search.slice(1)
  const values = query.split('&').map(pair => pair.slice(pair.indexOf('=') + 1))
  const parts = [...path.split('/'), ...values, url.username].filter(part => !WORD.test(part))
  const secrets = [...parts, url.password]
  const isPathSecret = path.length > 11 || path.split('/').some(part => !WORD.test(part))
  addSecrets([...secrets, ...secrets.map(decode)], [isPathSecret ? path : '', query, credentials])
}

/** Returns a string with an invalid `%` escape unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

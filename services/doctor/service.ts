import { request } from 'undici'
import { parseOriginPattern } from '../http/origins.ts'
import { parseJson } from '../json.ts'
import { parseUpstreamUrl } from '../upstream/url.ts'
import type { Examined } from './contract.ts'
import { checking, type Finding, type Found, fine, problem, warning } from './finding.ts'

const TIMEOUT_MS = 5000

const isLoopback = (hostname: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Checks which pages may use the service. */
export function examineOrigins({ config: { DOMAIN, NODE_ENV } }: Examined): Promise<Finding[]> {
  const action = 'Remove the origins that only a development machine needs; pages need https.'
  return checking('DOMAIN', action, () => {
    if (DOMAIN.includes('*')) return fine('every web page may use the service')
    const doubtful = DOMAIN.filter(entry => {
      const { protocol, hostname = '' } = parseOriginPattern(entry) ?? {}
      return protocol === 'http:' || isLoopback(hostname)
    })
    if (NODE_ENV !== 'production' || doubtful.length === 0) return fine(DOMAIN.join(', '))
    return warning(`${doubtful.join(', ')} in production`, action)
  })
}

/** Checks a running service from outside, through its proxy. */
export async function examineService({ config }: Examined, url: URL): Promise<Finding[]> {
  const { origin: base, target, headers: credentials } = parseUpstreamUrl(url.href)
  const action = 'Check that the server runs, and where the proxy sends requests.'
  const send = (path: string, options: { method?: 'OPTIONS'; headers?: Record<string, string> } = {}) =>
    request(base + target(path), {
      ...options,
      headers: { ...credentials, ...options.headers },
      signal: AbortSignal.timeout(TIMEOUT_MS)
    })

  const readiness = checking(`service ${url.host}`, action, async () => {
    const { statusCode, body } = await send('/ready')
    const { checks } = Object(parseJson(await body.text()))
    if (typeof checks !== 'object' || checks === null)
      return problem(`status ${statusCode} of /ready is not from this service`, action)
    const failed = Object.entries(checks).filter(([, check]) => Object(check).ok !== true)
    if (failed.length === 0) return fine('ready')
    const details = failed.map(([name, check]) => `${name}: ${Object(check).detail}`)
    const { action: first = 'See its log.' } = Object(failed[0]?.[1])
    return problem(`not ready: ${details.join('; ')}`, String(first))
  })

  const cors = checking('DOMAIN', action, async () => {
    const [origin] = config.DOMAIN.flatMap(entry => {
      const { protocol, hostname, port = '' } = parseOriginPattern(entry) ?? {}
      // Browsers omit the port of the scheme.
      return protocol === undefined ? [] : `${protocol}//${new URL(`${protocol}//${hostname}:${port}`).host}`
    })
    if (origin === undefined) return []
    const { headers, body } = await send('/chains', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' }
    })
    await body.dump()
    const allowed = headers['access-control-allow-origin']
    if (allowed === origin || allowed === '*') return []
    return problem(
      `${url.host} does not allow the page ${origin}`,
      'Let the proxy pass OPTIONS and its headers on, and restart servers after a change.'
    )
  })

  const proxy = checking('TRUST_PROXY', action, () => examineProxy(config.TRUST_PROXY, url))
  return (await Promise.all([readiness, cors, proxy])).flat()
}

/**
 * Compares TRUST_PROXY with the URL. The service itself serves no https, so there is a proxy in front of an https URL.
 */
function examineProxy(trusted: Examined['config']['TRUST_PROXY'], { protocol, hostname }: URL): Found | [] {
  if (protocol !== 'https:') {
    if (isLoopback(hostname)) return []
    return warning('the service is reached without TLS', 'Put a reverse proxy with TLS in front.')
  }
  const action = 'Set TRUST_PROXY to the address of the proxy or the number of proxies.'
  if (trusted === false)
    return problem('a proxy is in front, but none is trusted, so all users share one rate limit', action)
  if (trusted === true)
    return warning('every X-Forwarded-For is trusted, so clients choose their own address', action)
  return fine(String(trusted))
}

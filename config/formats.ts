import { isIP } from 'node:net'
import { FormatRegistry } from '@sinclair/typebox'
import { parseOriginPattern } from '../services/http/origins.ts'

/** A URL to which paths are appended. It may carry credentials, or a key in its path or query (interface 1.9). */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hash } = new URL(text)
  return /^https?:$/.test(protocol) && hash === ''
}

/** A base URL for requests that have an `authorization` of another source. */
function isUrlWithoutCredentials(text: string): boolean {
  if (!isBaseUrl(text)) return false
  const { username, password } = new URL(text)
  return `${username}${password}` === ''
}

/** A URL that clients get to see, so it carries nothing that could be a secret. */
function isPublicUrl(text: string): boolean {
  return isUrlWithoutCredentials(text) && new URL(text).search === ''
}

/**
 * An entry of Fastify's trustProxy: an address, a CIDR range or the name of a range. A number of hops is not accepted,
 * because Fastify then trusts nobody.
 */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', prefix, ...rest] = text.split('/')
  const bits = isIP(address) === 4 ? 32 : 128
  return isIP(address) > 0 && rest.length === 0 && (prefix === undefined || /^\d{1,3}$/.test(prefix))
    ? Number(prefix ?? 0) <= bits
    : false
}

FormatRegistry.Set('base-url', isBaseUrl)
FormatRegistry.Set('url-without-credentials', isUrlWithoutCredentials)
FormatRegistry.Set('public-url', isPublicUrl)
FormatRegistry.Set('origin', text => text === '*' || parseOriginPattern(text) !== undefined)
FormatRegistry.Set('proxy', isProxy)

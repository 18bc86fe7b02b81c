import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import { FormatRegistry } from '@sinclair/typebox'
import { parseOriginPattern } from '../services/http/origins.ts'
import { webhookKey } from './webhook.ts'

const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal']

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

/** An address, a CIDR range or the name of ranges. Numbers would be read as addresses too. */
function isProxyEntry(text: string): boolean {
  const [address = ''] = text.split('/')
  if (!PROXY_RANGES.includes(text) && isIP(address) === 0) return false
  try {
    compile(text)
    return true
  } catch {
    return false
  }
}

FormatRegistry.Set('base-url', isBaseUrl)
FormatRegistry.Set('url-without-credentials', isUrlWithoutCredentials)
FormatRegistry.Set('public-url', isPublicUrl)
// Not named as the others, whose slashes at the end are dropped: this URL is used as it is.
FormatRegistry.Set('webhook', isBaseUrl)
FormatRegistry.Set('webhook-secret', text => webhookKey(text) !== undefined)
FormatRegistry.Set('origin', text => text === '*' || parseOriginPattern(text) !== undefined)
FormatRegistry.Set('proxy', isProxyEntry)

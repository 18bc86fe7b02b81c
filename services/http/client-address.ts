import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'
import { upTo } from '../caches/capacity.ts'

/**
 * Which proxies may name the client: nobody, everybody, so many in a row, or those at these addresses, CIDR ranges and
 * named ranges (interface 14.13).
 */
export type TrustedProxies = boolean | number | readonly string[]

interface Hop {
  /** In its one canonical spelling. */
  address: string
  isProxy: boolean
}

/** Reading an address and looking for its range takes longer than all other checks of a request together. */
const MOST_HOPS = 5000

/** An IPv6 address with brackets, zone and port fits. */
const LONGEST_ENTRY = 80

const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

const namedRanges = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']]
])

/**
 * A function that returns the address of a request's client: the connection's own or, when that is of a trusted proxy,
 * the last one in `X-Forwarded-For` that is not of a trusted proxy. An entry that is no address names nobody: then it
 * is the address of the proxy that passed it on (interface 14.13, 14.14).
 */
export function createClientAddress(trusted: TrustedProxies): (request: IncomingMessage) => string {
  const proxies = typeof trusted === 'object' ? proxyList(trusted) : undefined
  const hops = new LRUCache<string, Hop>(upTo(MOST_HOPS))

  /** @returns undefined for a text that is no address */
  function hopOf(text: string): Hop | undefined {
    if (text.length > LONGEST_ENTRY) return undefined
    const known = hops.get(text)
    if (known !== undefined) return known
    const address = canonicalAddress(text)
    if (address === undefined) return undefined
    const hop = { address, isProxy: proxies?.check(address, familyOf(address)) ?? trusted === true }
    hops.set(text, hop)
    return hop
  }

  return ({ socket, headers }) => {
    let hop = hopOf(socket.remoteAddress ?? '')
    if (hop === undefined) return ''
    const header = headers['x-forwarded-for']
    if (trusted === false || typeof header !== 'string') return hop.address
    let end = header.length
    for (let passed = 0; end > 0 && (typeof trusted === 'number' ? passed < trusted : hop.isProxy); ) {
      const comma = header.lastIndexOf(',', end - 1)
      const entry = header.slice(comma + 1, end).trim()
      end = comma
      // Lists may have empty entries (RFC 9110 §5.6.1).
      if (entry === '') continue
      const next = hopOf(entry)
      if (next === undefined) break
      hop = next
      passed += 1
    }
    return hop.address
  }
}

/** The one spelling of an address, without port, brackets and zone; IPv4-mapped IPv6 is IPv4. Undefined for all else. */
export function canonicalAddress(text: string): string | undefined {
  const [, bracketed, dotted] = withPort.exec(text) ?? []
  if (bracketed !== undefined && isIP(bracketed) !== 6) return undefined
  const bare = bracketed ?? dotted ?? text
  if (isIP(bare) === 0) return undefined
  if (isIP(bare) === 4) return bare
  const [withoutZone = ''] = bare.split('%')
  const { address } = new SocketAddress({ address: withoutZone, family: 'ipv6' })
  return mapped.exec(address)?.[1] ?? address
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** One entry of `TRUST_PROXY`: an address, a CIDR range or the name of ranges. */
export function isProxyEntry(entry: string): boolean {
  return namedRanges.has(entry) || rangeOf(entry) !== undefined
}

/** @returns undefined for what is no range. A range of all addresses is none: nobody would be a client. */
function rangeOf(entry: string): { address: string; bits: number } | undefined {
  const [text = '', prefix, ...rest] = entry.split('/')
  const version = isIP(text)
  const most = version === 4 ? 32 : 128
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : 0
  const address = canonicalAddress(text)
  if (version === 0 || address === undefined || rest.length > 0 || bits < 1 || bits > most) return undefined
  const isMapped = version === 6 && familyOf(address) === 'ipv4'
  if (!isMapped) return { address, bits }
  return bits > 96 ? { address, bits: bits - 96 } : undefined
}

function proxyList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries.flatMap(entry => namedRanges.get(entry) ?? [entry])) {
    const range = rangeOf(entry)
    if (range !== undefined) list.addSubnet(range.address, range.bits, familyOf(range.address))
  }
  return list
}

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { DatabaseAddress } from '../services/submission/store/postgres/connection.ts'

export const DATABASE_URL_FORM =
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE with one host, special characters as %XX, and no other parameters than ' +
  '?sslmode= (disable, require, verify-ca or verify-full, the default outside private networks) and &sslrootcert= (the path of a file with certificates, which ' +
  'verify-ca needs)'

/**
 * Reads the URL of a database. Certificates are checked as in libpq: `require` encrypts, but checks the certificate
 * only if an `sslrootcert` is given; `verify-ca` does not compare the host name. Unlike libpq, no mode falls back to
 * plain text, `verify-full` without an `sslrootcert` trusts public certificate authorities, and the default is
 * `verify-full`, or `disable` in a private network (interface 1.15).
 * @returns undefined when the URL is invalid
 * @throws an error with a code if the `sslrootcert` file is unreadable or contains no certificate
 */
export function readDatabaseUrl(text: string): DatabaseAddress | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
  const user = decode(username)
  const secret = decode(password)
  const database = decode(pathname.slice(1))
  if (!/^postgres(ql)?:$/.test(protocol) || !HOST.test(hostname) || hash !== '') return undefined
  if (!user || !database || secret === undefined || /[\s/]/.test(database)) return undefined
  // Removes the brackets of an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const ssl = sslOptions(searchParams, isPrivate(host) ? 'disable' : 'verify-full')
  if (ssl === undefined) return undefined
  return {
    host,
    port: port === '' ? 5432 : Number(port),
    user,
    ...(secret !== '' && { password: secret }),
    database,
    ssl
  }
}

/** A single host name or address, not a list or a socket path. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/i

const PRIVATE = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16]
] as const)
  PRIVATE.addSubnet(network, prefix)
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

/** A name that public name servers do not know. A number is not a name: `134744072` is the address 8.8.8.8. */
const PRIVATE_NAME = /^([a-z][\w-]*|.*\.(internal|local))\.?$/i

const isPrivate = (host: string) =>
  isIP(host) === 0 ? PRIVATE_NAME.test(host) : PRIVATE.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')

/**
 * Returns undefined if parameters are unknown, repeated or contradictory, such as an `sslrootcert` that the mode does
 * not use, or a mode without the `sslrootcert` that it needs.
 */
function sslOptions(
  parameters: URLSearchParams,
  standard: 'disable' | 'verify-full'
): ConnectionOptions | false | undefined {
  const { sslmode = standard, sslrootcert: path, ...others } = Object.fromEntries(parameters)
  if (Object.keys(others).length > 0 || parameters.size > new Set(parameters.keys()).size) return undefined
  if (sslmode === 'disable') return path === undefined ? false : undefined
  if (!/^(require|verify-ca|verify-full)$/.test(sslmode)) return undefined
  if (sslmode === 'verify-ca' && path === undefined) return undefined
  const ca = path === undefined ? undefined : readFileSync(path, 'utf8')
  if (ca !== undefined) new X509Certificate(ca)
  return {
    rejectUnauthorized: sslmode !== 'require' || ca !== undefined,
    ...(sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(ca !== undefined && { ca })
  }
}

/** Returns undefined for an invalid escape, or for NUL, which ends a string in the protocol. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

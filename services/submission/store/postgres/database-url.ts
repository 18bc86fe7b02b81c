import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

/** The required form of a database URL, for the error about an invalid one. */
export const DATABASE_URL_FORM =
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE with one host, special characters as %XX, and no other parameters than ' +
  '?sslmode= (disable, require, verify-ca or verify-full) and &sslrootcert= (the path of a file with certificates, which ' +
  'verify-ca needs)'

/** The database's address and credentials. Contains the password: never log it. */
export type DatabaseAddress = Required<Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'ssl'>> &
  Pick<ClientConfig, 'password'>

/**
 * Reads the URL of a database. Certificates are checked as in libpq: `require` encrypts, and checks only with a
 * `sslrootcert`; `verify-ca` does not compare the host name. Unlike libpq, there is no mode that falls back to plain text,
 * and `verify-full` without a `sslrootcert` trusts the public authorities.
 * @returns undefined when the URL is invalid
 * @throws an error with a code when the file of `sslrootcert` cannot be read or has no certificate
 */
export function readDatabaseUrl(text: string): DatabaseAddress | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const { mode, rootCertificate, ...address } = parts
  return { ...address, ssl: mode === 'disable' ? false : sslOptions(mode, rootCertificate) }
}

function sslOptions(
  mode: Exclude<SslMode, 'disable'>,
  rootCertificate: string | undefined
): ConnectionOptions {
  const options = {
    rejectUnauthorized: mode !== 'require' || rootCertificate !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined })
  }
  if (rootCertificate === undefined) return options
  let ca = readCertificates(rootCertificate)
  return {
    ...options,
    /** Each connection reads the file, so that a new authority needs no restart. An unusable file is ignored. */
    get ca() {
      try {
        ca = readCertificates(rootCertificate)
      } catch {}
      return ca
    }
  }
}

function readCertificates(path: string): string {
  const text = readFileSync(path, 'utf8')
  new X509Certificate(text)
  return text
}

function partsOf(text: string) {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
  const user = decode(username)
  const secret = decode(password)
  const database = decode(pathname.slice(1))
  const encryption = encryptionOf(searchParams)
  if (!/^postgres(ql)?:$/.test(protocol) || !HOST.test(hostname) || hash !== '') return undefined
  if (!user || !database || secret === undefined || encryption === undefined) return undefined
  if (/[\s/]/.test(database)) return undefined
  return {
    // Removes the brackets of an IPv6 address.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
    user,
    ...(secret !== '' && { password: secret }),
    database,
    ...encryption
  }
}

/** One host name or address: no list, no socket path. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])$/i

/** @returns undefined for unknown, repeated or contradictory parameters: certificates that are unused or missing */
function encryptionOf(parameters: URLSearchParams) {
  const { sslmode = 'disable', sslrootcert: rootCertificate, ...others } = Object.fromEntries(parameters)
  const mode = SSL_MODES.find(name => name === sslmode)
  if (mode === undefined || Object.keys(others).length > 0) return undefined
  if (parameters.size > new Set(parameters.keys()).size) return undefined
  if (mode === 'disable' && rootCertificate !== undefined) return undefined
  if (mode === 'verify-ca' && rootCertificate === undefined) return undefined
  return { mode, rootCertificate }
}

/** @returns undefined for an invalid escape, or for NUL, which ends a string in the protocol */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}

import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'

const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

/** What a URL of a database must be, for the line about one that is not. */
export const DATABASE_URL_FORM =
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE, where ?sslmode= may be disable, require, verify-ca or verify-full, and ' +
  '&sslrootcert= the path of a certificate'

/** Where the database is, and who may use it. It holds the password: never logged. */
export type DatabaseAddress = Required<Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'ssl'>> &
  Pick<ClientConfig, 'password'>

/**
 * Reads the URL of a database. Certificates are checked as libpq does: `require` encrypts, and checks only with a
 * `sslrootcert`; `verify-ca` does not compare the host name.
 * @returns undefined when it is none
 * @throws the system's error when the certificate cannot be read
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
  const isChecked = mode !== 'require' || rootCertificate !== undefined
  return {
    rejectUnauthorized: isChecked,
    ...(rootCertificate !== undefined && { ca: readFileSync(rootCertificate, 'utf8') }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined })
  }
}

function partsOf(text: string) {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text)
  const mode = SSL_MODES.find(name => name === (searchParams.get('sslmode') ?? 'disable'))
  const names = [...searchParams.keys()]
  const user = decode(username)
  const secret = decode(password)
  const database = decode(pathname.slice(1))
  if (!/^postgres(ql)?:$/.test(protocol) || !/^[^,]+$/.test(hostname) || hash !== '' || mode === undefined)
    return undefined
  if (
    names.some(name => name !== 'sslmode' && name !== 'sslrootcert') ||
    new Set(names).size < names.length
  ) {
    return undefined
  }
  if (!user || !database || secret === undefined || /[\s/]/.test(database)) return undefined
  return {
    // An IPv6 address is in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
    user,
    ...(secret !== '' && { password: secret }),
    database,
    mode,
    rootCertificate: searchParams.get('sslrootcert') ?? undefined
  }
}

/** @returns undefined for text with an escape that is none */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

import { join } from 'node:path'
import { sql } from '../../../../../services/submission/store/sql.ts'
import { asServer, createServerFolder, startPostgres } from '../../../../helpers/postgres.ts'
import { run } from '../../../../helpers/repository.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { openReplica } from './replicas.ts'

/** Paths of a certificate and its key, which the database server can read. */
interface Certificate {
  certificate: string
  key: string
}

/** Creates an authority that issues certificates, with `openssl`. */
async function createAuthority() {
  const folder = await createServerFolder(root)
  const openssl = (...words: string[]) => run('openssl', words, { ...asServer, cwd: folder })

  async function create(name: string, ...extensions: string[]): Promise<Certificate> {
    const [certificate, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)]
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', key]
    const added = extensions.flatMap(extension => ['-addext', extension])
    await openssl('req', '-x509', ...newKey, '-subj', `/CN=${name}`, '-out', certificate, ...added)
    return { certificate, key }
  }

  const authority = await create('authority')
  let issued = 0
  return {
    ...authority,
    /** @param days validity; negative for an expired certificate */
    async issue(alternativeName: string, days = 30): Promise<Certificate> {
      issued += 1
      const name = `subjectAltName=${alternativeName}`
      const server = await create(`server-${issued}`, name, 'authorityKeyIdentifier=none')
      const issuer = ['-CA', authority.certificate, '-CAkey', authority.key, '-set_serial', String(issued)]
      const file = server.certificate
      await openssl('x509', '-in', file, ...issuer, '-days', String(days), '-out', file)
      return server
    }
  }
}

const postgres = await startPostgres(root)
const [authority, other] = await Promise.all([createAuthority(), createAuthority()])
const [named, numbered, expired] = await Promise.all([
  authority.issue('DNS:localhost'),
  authority.issue('IP:127.0.0.1'),
  authority.issue('DNS:localhost', -1)
])
const url = await postgres.createDatabase()

/**
 * Builds a database URL for a host. A parameter value of `authority` or `other` is replaced with the path of that
 * authority's certificate.
 */
function urlOf(host: string, parameters: string): string {
  const path = { authority: authority.certificate, other: other.certificate }
  const written = parameters.replace(/(?<==)(authority|other)$/, name =>
    encodeURIComponent(path[name === 'other' ? name : 'authority'])
  )
  return `${url.replace('127.0.0.1', host)}${written}`
}

const IS_ENCRYPTED = sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`

const DEFAULT = '(by default verify-full, except in private networks)'
const refusal = (code: string) =>
  `has a certificate that is not valid for this host or not trusted: see sslmode ${DEFAULT} and sslrootcert (${code})`
const NOT_TRUSTED = refusal('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
const OTHER_HOST = refusal('ERR_TLS_CERT_ALTNAME_INVALID')
const NOT_VALID = refusal('CERT_HAS_EXPIRED')
const NO_TLS = `does not support TLS, which sslmode ${DEFAULT} requires`

const [ENCRYPTED, PLAIN] = [true, false]

/** Certificates of the server, and how it is reached with a host and parameters of the URL: encrypted, or not at all. */
const CASES: [server: string, files: Certificate | undefined, ...[string, string, boolean | string][]][] = [
  [
    'a certificate for its host name',
    named,
    ['localhost', '', PLAIN],
    ['localhost', '?sslmode=disable', PLAIN],
    ['localhost', '?sslmode=require', ENCRYPTED],
    ['127.0.0.1', '?sslmode=require&sslrootcert=authority', ENCRYPTED],
    ['localhost', '?sslmode=require&sslrootcert=other', NOT_TRUSTED],
    ['127.0.0.1', '?sslmode=verify-ca&sslrootcert=authority', ENCRYPTED],
    ['localhost', '?sslmode=verify-ca&sslrootcert=other', NOT_TRUSTED],
    ['localhost', '?sslmode=verify-full&sslrootcert=authority', ENCRYPTED],
    ['127.0.0.1', '?sslmode=verify-full&sslrootcert=authority', OTHER_HOST],
    ['localhost', '?sslmode=verify-full', NOT_TRUSTED]
  ],
  [
    'a certificate for its address',
    numbered,
    ['127.0.0.1', '?sslmode=verify-full&sslrootcert=authority', ENCRYPTED]
  ],
  [
    'an expired certificate',
    expired,
    ['localhost', '?sslmode=require', ENCRYPTED],
    ['localhost', '?sslmode=require&sslrootcert=authority', NOT_VALID],
    ['localhost', '?sslmode=verify-full&sslrootcert=authority', NOT_VALID]
  ],
  ['no TLS', undefined, ['localhost', '', PLAIN], ['localhost', '?sslmode=require', NO_TLS]]
]

for (const [server, files, ...ways] of CASES) {
  test(`enforces sslmode for a server with ${server}`, async t => {
    await postgres.stop()
    const { certificate, key } = files ?? {}
    const tls = ['-c', 'ssl=on', '-c', `ssl_cert_file=${certificate}`, '-c', `ssl_key_file=${key}`]
    await postgres.start(...(files ? tls : []))
    for (const [host, parameters, outcome] of ways) {
      const opening = openReplica(t, urlOf(host, parameters))
      const title = `${host} ${parameters}`
      if (typeof outcome === 'string') {
        const message = `DATABASE_URL: the database ${outcome}`
        await t.rejects(opening, { name: 'DatabaseUnusableError', message }, title)
      } else t.match(await (await opening).database.get(IS_ENCRYPTED), { ssl: outcome }, title)
    }
  })
}

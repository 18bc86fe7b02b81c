import { sql } from '../../../../../services/submission/store/sql.ts'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { openReplica } from '../../../../helpers/postgres/replicas.ts'
import { t as root, test } from '../../../../helpers/tap.ts'
import { type Certificate, createAuthority } from './certificates.ts'

const postgres = await startPostgres(root)
const [authority, other] = await Promise.all([createAuthority(root), createAuthority(root)])
const [named, numbered, expired] = await Promise.all([
  authority.issue('DNS:localhost'),
  authority.issue('IP:127.0.0.1'),
  authority.issue('DNS:localhost', -1)
])
const url = await postgres.createDatabase()

async function serve(files: Certificate | undefined): Promise<void> {
  await postgres.stop()
  if (files === undefined) return postgres.start()
  const { certificate, key } = files
  await postgres.start('-c', 'ssl=on', '-c', `ssl_cert_file=${certificate}`, '-c', `ssl_key_file=${key}`)
}

/**
 * Builds a database URL for a host. A parameter value of `authority` or `other` is replaced with the path of that
 * authority's certificate.
 */
function urlOf(host: string, parameters: string): string {
  const from = url.replace('127.0.0.1', host)
  return `${from}${parameters.replace(/(?<==)(authority|other)$/, name =>
    encodeURIComponent(name === 'other' ? other.certificate : authority.certificate)
  )}`
}

const ENCRYPTED = sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`

const DEFAULT = '(by default verify-full, except in private networks)'
const refusal = (code: string) =>
  `has a certificate that is not valid for this host or not trusted: see sslmode ${DEFAULT} and sslrootcert (${code})`
const NOT_TRUSTED = refusal('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
const OTHER_HOST = refusal('ERR_TLS_CERT_ALTNAME_INVALID')
const NOT_VALID = refusal('CERT_HAS_EXPIRED')
const NO_TLS = `does not support TLS, which sslmode ${DEFAULT} requires`

type Case = [host: string, parameters: string, outcome: 'encrypted' | 'plain' | { refused: string }]

const cases: [server: string, files: Certificate | undefined, cases: Case[]][] = [
  [
    'a certificate for its host name',
    named,
    [
      ['localhost', '', 'plain'],
      ['localhost', '?sslmode=disable', 'plain'],
      ['localhost', '?sslmode=require', 'encrypted'],
      ['127.0.0.1', '?sslmode=require&sslrootcert=authority', 'encrypted'],
      ['localhost', '?sslmode=require&sslrootcert=other', { refused: NOT_TRUSTED }],
      ['127.0.0.1', '?sslmode=verify-ca&sslrootcert=authority', 'encrypted'],
      ['localhost', '?sslmode=verify-ca&sslrootcert=other', { refused: NOT_TRUSTED }],
      ['localhost', '?sslmode=verify-full&sslrootcert=authority', 'encrypted'],
      ['127.0.0.1', '?sslmode=verify-full&sslrootcert=authority', { refused: OTHER_HOST }],
      ['localhost', '?sslmode=verify-full', { refused: NOT_TRUSTED }]
    ]
  ],
  [
    'a certificate for its address',
    numbered,
    [['127.0.0.1', '?sslmode=verify-full&sslrootcert=authority', 'encrypted']]
  ],
  [
    'an expired certificate',
    expired,
    [
      ['localhost', '?sslmode=require', 'encrypted'],
      ['localhost', '?sslmode=require&sslrootcert=authority', { refused: NOT_VALID }],
      ['localhost', '?sslmode=verify-full&sslrootcert=authority', { refused: NOT_VALID }]
    ]
  ],
  [
    'no TLS',
    undefined,
    [
      ['localhost', '', 'plain'],
      ['localhost', '?sslmode=require', { refused: NO_TLS }]
    ]
  ]
]

for (const [server, files, ways] of cases) {
  test(`enforces sslmode for a server with ${server}`, async t => {
    await serve(files)
    for (const [host, parameters, outcome] of ways) {
      const opening = openReplica(t, urlOf(host, parameters))
      const title = `${host} ${parameters}`
      if (typeof outcome === 'object') {
        const message = `DATABASE_URL: the database ${outcome.refused}`
        await t.rejects(opening, { name: 'DatabaseUnusableError', message }, title)
      } else {
        const { database } = await opening
        t.match(await database.get(ENCRYPTED), { ssl: outcome === 'encrypted' }, title)
      }
    }
  })
}

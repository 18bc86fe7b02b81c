import { LIMITS } from '../../../../../services/submission/store/postgres/connection.ts'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { proxyFor } from '../../../../helpers/postgres/proxy.ts'
import { openReplica } from '../../../../helpers/postgres/replicas.ts'
import { t as root, test } from '../../../../helpers/tap.ts'

const REFUSED =
  'DATABASE_URL: the database is behind a pooler, which is not supported: use the address of the server itself'

const postgres = await startPostgres(root)

test('detects a pooler that drops the connection’s time limits', async t => {
  const proxy = await proxyFor(t, await postgres.createDatabase())
  const limit = String(LIMITS.idle_in_transaction_session_timeout)
  proxy.rewrite(limit, limit.replaceAll(/./g, '0'))
  await t.rejects(openReplica(t, proxy.url), { name: 'DatabaseUnusableError', message: REFUSED })
})

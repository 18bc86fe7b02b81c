import { once } from 'node:events'
import { createServer } from 'node:net'
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

test('detects a pooler that rejects the connection’s time limits', async t => {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '']
  const body = Buffer.from(fields.map(field => `${field}\0`).join(''))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + length.length)
  const pooler = createServer(socket => {
    socket
      .on('error', () => {})
      .once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, body])))
  }).listen(0, '127.0.0.1')
  t.teardown(() => pooler.close())
  await once(pooler, 'listening')
  const address = pooler.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await t.rejects(openReplica(t, `postgres://user:hidden@127.0.0.1:${port}/x`), {
    name: 'DatabaseUnusableError',
    message: `${REFUSED} (08P01)`
  })
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import { t as root, test } from 'tap'
import { startPostgres } from '../../../../helpers/postgres/index.ts'
import { proxyFor } from '../../../../helpers/postgres/proxy.ts'
import { openReplica } from '../../../../helpers/postgres/replicas.ts'

const REFUSED =
  'DATABASE_URL: the database is behind a pooler, which is not supported: use the address of the server itself'

const postgres = await startPostgres(root)

test('a pooler that announces numbers of its own for connections is noticed at the start', async t => {
  const proxy = await proxyFor(t, await postgres.createDatabase())
  // The message with the server's process and a secret.
  const header = 'K\0\0\0\x0c'
  proxy.rewrite(new RegExp(`${header}.{4}`, 'gs'), `${header}\0\0\0\x07`)
  await t.rejects(openReplica(t, proxy.url), { name: 'DatabaseUnusableError', message: REFUSED })
})

test('a pooler that does not know the settings of a connection is noticed at the start', async t => {
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

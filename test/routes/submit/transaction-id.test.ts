import { randomUUID } from 'node:crypto'
import { build, startNetwork } from '../../helpers/app.ts'
import { test } from '../../helpers/tap.ts'

const ask = (server: Awaited<ReturnType<typeof build>>, query: Record<string, string>) =>
  server.inject({ url: '/submit/transactionId', query })

test('always returns the same transaction id for the same seed', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const transactionIdSeed = randomUUID()
  const first = await ask(server, { transactionIdSeed })
  t.equal(first.statusCode, 200)
  t.match(first.json(), { transactionId: /^[0-9a-f]{64}$/ })
  t.same((await ask(server, { transactionIdSeed })).json(), first.json())
  t.notSame((await ask(server, { transactionIdSeed: randomUUID() })).json(), first.json())

  const replica = await build(t, {}, { devnet })
  t.same((await ask(replica, { transactionIdSeed })).json(), first.json())
})

test('rejects a missing seed, or one that is not a version 4 UUID', async t => {
  const server = await build(t)
  for (const query of [{}, { transactionIdSeed: '123e4567-e89b-12d3-a456-426614174000' }]) {
    const expected = { statusCode: 400, code: 'VALIDATION', details: [{ path: '/transactionIdSeed' }] }
    t.match((await ask(server, query)).json(), expected)
  }
})

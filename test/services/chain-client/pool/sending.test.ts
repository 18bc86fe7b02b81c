import { test } from '../../../helpers/tap.ts'
import { type ScriptedNode, scriptedPool } from './scripted-node.ts'

const bytes = new Uint8Array([1])
const simulation = { messages: [], publicKey: new Uint8Array(33), sequence: 7 }

const sent = ({ asked }: ScriptedNode) => asked.filter(method => method === 'broadcast').length

test('a broadcast is asked once; the next one goes to another node, and the caller is told', async t => {
  const { pool, a, b, answered, changes } = await scriptedPool(2)
  a.failing.add('broadcast')
  t.match(await answered(pool.broadcast(bytes)), { status: 'unavailable', reason: /no broadcast/ })
  t.strictSame([sent(a), sent(b), changes()], [1, 0, 1])
  t.match(await answered(pool.broadcast(bytes)), { status: 'accepted' })
  t.strictSame([sent(a), sent(b), changes()], [1, 1, 1])
})

test('a broadcast to every node has the answer of the best one, and waits for no other', async t => {
  const { pool, a, b, answered, changes } = await scriptedPool(2)
  b.failing.add('broadcast')
  t.match(await answered(pool.broadcast(bytes, { everywhere: true })), { status: 'accepted' })
  t.strictSame([sent(a), sent(b), changes()], [1, 1, 0])
  await answered(pool.broadcast(bytes))
  t.strictSame([sent(a), sent(b)], [2, 1])
})

test('the preferred node is used again once it is well', async t => {
  const { pool, a, b, answered, pass, changes } = await scriptedPool(2)
  a.failing.add('broadcast')
  await answered(pool.broadcast(bytes))
  a.failing.clear()
  await pass(500)
  await answered(pool.broadcast(bytes))
  t.equal(sent(b), 1, 'not before its rest is over')
  await pass(4000)
  await answered(pool.broadcast(bytes))
  t.strictSame([sent(a), changes()], [2, 2])
})

test('a full mempool concerns sending alone', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  a.answers.broadcast = { status: 'unavailable', reason: 'mempool is full: number of txs 5000' }
  await answered(pool.broadcast(bytes))
  t.match(pool.health(), [{ reading: true, sending: false, fault: /mempool is full/ }, {}])
  t.match(await answered(pool.block(100)), { node: 'a' })
  t.match(await answered(pool.broadcast(bytes)), { status: 'accepted' })
  t.equal(sent(b), 1)
})

test('a refusal, and a transaction that the node knows, are answers', async t => {
  const { pool, a, answered, changes } = await scriptedPool(2)
  for (const answer of [
    { status: 'known' },
    { status: 'refused', code: 32, codespace: 'sdk', log: 'no' }
  ] as const) {
    a.answers.broadcast = answer
    t.strictSame(await answered(pool.broadcast(bytes)), answer)
  }
  t.equal(changes(), 0)
})

test('simulations follow the broadcasts, and go on at another node without an answer', async t => {
  const { pool, a, b, answered, changes } = await scriptedPool(2)
  a.failing.add('simulate')
  t.match(await answered(pool.simulate(simulation)), { status: 'passed' })
  t.strictSame([a.asked, b.asked], [['simulate'], ['simulate']])
  await answered(pool.broadcast(bytes))
  t.strictSame([sent(a), sent(b), changes()], [0, 1, 1])
})

test('a simulation that takes too long is not put to another node', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  a.answers.simulate = { status: 'unavailable', reason: 'no answer in time', late: true }
  t.match(await answered(pool.simulate(simulation)), { status: 'unavailable', late: true })
  t.strictSame(b.asked, [])
})

test('what one node refuses in a simulation is put to another one, also when that seems to be behind', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  const refused = { status: 'failed', code: 5, codespace: 'sdk', log: 'no' } as const
  a.answers.simulate = refused
  t.match(await answered(pool.simulate(simulation)), { status: 'passed', node: 'b' })
  a.height = 1000
  a.onBlock = () => undefined
  await pass(4100)
  t.match(pool.health(), [{ sending: true }, { sending: false }])
  t.match(await answered(pool.simulate(simulation)), { status: 'passed', node: 'b' })
  await answered(pool.broadcast(bytes, { everywhere: true }))
  t.equal(sent(b), 1)
  b.answers.simulate = { ...refused, code: 6 }
  t.match(await answered(pool.simulate(simulation)), { code: 5, node: 'a' }, 'the first one’s reason')

  b.answers.simulate = { status: 'unavailable', reason: 'no answer in time', late: true }
  const late = await answered(pool.simulate(simulation))
  t.match(late, { status: 'unavailable', late: true }, 'a smaller transaction may pass there')

  const lone = await scriptedPool(1)
  lone.a.answers.simulate = refused
  t.match(await lone.answered(lone.pool.simulate(simulation)), { status: 'failed', node: 'a' })
  t.strictSame(lone.a.asked, ['simulate'])
})

test('a node that does not answer at all is passed over for sending by its status', async t => {
  const { pool, a, b, answered, pass, changes } = await scriptedPool(2)
  await answered(pool.broadcast(bytes))
  a.failing.add('status')
  await pass(2100)
  t.equal(changes(), 1)
  await answered(pool.broadcast(bytes))
  t.equal(sent(b), 1)
})

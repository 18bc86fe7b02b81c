import { test } from '../../../helpers/tap.ts'
import { type ScriptedNode, scriptedPool } from './scripted-node.ts'

const bytes = new Uint8Array([1])
const simulation = { messages: [], publicKey: new Uint8Array(33), sequence: 7 }

const sent = ({ asked }: ScriptedNode) => asked.filter(method => method === 'broadcast').length

test('after a failed broadcast, sends to another node until the first is healthy', async t => {
  const { pool, a, b, answered, pass, changes } = await scriptedPool(2)
  a.failing.add('broadcast')
  t.match(await answered(pool.broadcast(bytes)), { status: 'unavailable', reason: /no broadcast/ })
  t.strictSame([sent(a), sent(b), changes()], [1, 0, 1])
  a.failing.clear()
  await pass(500)
  t.match(await answered(pool.broadcast(bytes)), { status: 'accepted' })
  t.strictSame([sent(a), sent(b), changes()], [1, 1, 1], 'node a is still in its cooldown')
  await pass(4000)
  await answered(pool.broadcast(bytes))
  t.strictSame([sent(a), sent(b), changes()], [2, 1, 2])
})

test('stops sending to a node whose mempool is full, but keeps reading from it', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  a.answers.broadcast = { status: 'unavailable', reason: 'mempool is full: number of txs 5000' }
  await answered(pool.broadcast(bytes))
  t.match(pool.health(), [{ reading: true, sending: false, fault: /mempool is full/ }, {}])
  t.match(await answered(pool.block(100)), { node: 'a' })
  t.match(await answered(pool.broadcast(bytes)), { status: 'accepted' })
  t.equal(sent(b), 1)
})

test('retries a refused simulation on another node, even one that seems behind', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  const refused = { status: 'failed', code: 5, codespace: 'sdk', log: 'no' } as const
  a.answers.simulate = refused
  t.match(await answered(pool.simulate(simulation)), { status: 'passed', node: 'b' })
  a.height = 1000
  a.onBlock = () => undefined
  await pass(4100)
  t.match(pool.health(), [{ sending: true }, { sending: false }])
  t.match(await answered(pool.simulate(simulation)), { status: 'passed', node: 'b' })
  t.match(await answered(pool.simulateEverywhere(simulation)), [
    { node: 'a', isBehind: false },
    { node: 'b', isBehind: true }
  ])
  await answered(pool.broadcast(bytes, { everywhere: true }))
  t.equal(sent(b), 1)
  b.answers.simulate = { ...refused, code: 6 }
  t.match(await answered(pool.simulate(simulation)), { code: 5, node: 'a' }, 'the first node’s refusal')

  b.answers.simulate = { status: 'unavailable', reason: 'no response in time', timedOut: true }
  const late = await answered(pool.simulate(simulation))
  t.match(late, { status: 'unavailable', timedOut: true }, 'a smaller transaction may pass in time')

  const other = await scriptedPool(2)
  other.a.answers.simulate = { status: 'unavailable', reason: 'no response', timedOut: false }
  other.b.answers.simulate = refused
  const second = await other.answered(other.pool.simulate(simulation))
  t.match(second, { status: 'failed', node: 'b' }, 'a refusal, if the first node does not respond')

  const lone = await scriptedPool(1)
  lone.a.answers.simulate = refused
  t.match(await lone.answered(lone.pool.simulate(simulation)), { status: 'failed', node: 'a' })
  t.strictSame(lone.a.asked, ['simulate'])
})

import type { ChainNode, Inquiry } from '../../../../services/chain-client/index.ts'
import { seekAgreement } from '../../../../services/chain-client/pool/index.ts'
import { test } from '../../../helpers/tap.ts'
import { scriptedPool } from './scripted-node.ts'

const limit: Inquiry<number | undefined> = {
  question: 'blockLimits',
  ask: async (node: ChainNode) => (await node.blockLimits()).gas,
  agree: (one, other) => one === other
}

test('reaches agreement with one request per node if both nodes return the same response', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  t.match(await answered(pool.agreement(limit)), { agreed: [40_000_000, 40_000_000] })
  t.strictSame([a.asked, b.asked], [['blockLimits'], ['blockLimits']])
})

test('a node can agree with itself only if it is the only node', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  a.answers.gasLimit = 1
  const { agreed, opinions } = await answered(pool.agreement(limit))
  t.equal(agreed, undefined)
  const asked = opinions.map(({ node, answer }) => `${node}: ${answer}`)
  t.strictSame(asked, ['a: 1', 'b: 40000000', 'a: 1', 'b: 40000000'])
  b.failing.add('blockLimits')
  await answered(pool.agreement(limit))
  t.strictSame(await answered(pool.agreement(limit)), {
    agreed: undefined,
    opinions: [{ node: 'a', answer: 1 }]
  })

  const lone = await scriptedPool(1)
  t.match(await lone.answered(lone.pool.agreement(limit)), { agreed: [40_000_000, 40_000_000] })
})

test('requires the same response twice in a row from a single node', async t => {
  const { pool, answered } = await scriptedPool(1)
  const answers = [1, 2, 1, 3]
  t.match(await answered(pool.agreement({ ...limit, ask: async () => answers.shift() })), {
    agreed: undefined,
    opinions: { length: 4 }
  })
})

test('reaches agreement if a node corrects its response on a retry', async t => {
  const { pool, a, answered } = await scriptedPool(2)
  a.answers.gasLimit = 1
  const asked = pool.agreement({
    ...limit,
    async ask(node) {
      const { gas } = await node.blockLimits()
      a.answers.gasLimit = 40_000_000
      return gas
    }
  })
  t.match(await answered(asked), { agreed: [40_000_000, 40_000_000], opinions: { length: 3 } })
})

test('asks every node if there are more than four', async t => {
  const nodes = [1, 2, 3, 4, 5, 5].map((answer, index) => ({
    name: `${index}`,
    ask: async () => answer as never
  }))
  t.match(await seekAgreement(nodes, false, limit), { agreed: [5, 5], opinions: { length: 6 } })
})

test('confirms an earlier response with the other node first', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  t.match(await answered(pool.agreement({ ...limit, said: { node: 'a', answer: 40_000_000 } })), {
    agreed: [40_000_000, 40_000_000]
  })
  t.strictSame([a.asked, b.asked], [[], ['blockLimits']])
})

test('still queries a node that seems to be behind only because another node overstates its height', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  a.height += 1000
  await pass(4100)
  t.match(pool.health(), [{ reading: true }, { reading: false, fault: /behind/ }])
  a.answers.gasLimit = 1
  t.equal((await answered(pool.agreement(limit))).agreed, undefined)
  t.ok(b.asked.length > 0)
})

test('returns no opinions and skips both nodes if neither responds', async t => {
  const { pool, a, b, answered } = await scriptedPool(2)
  for (const node of [a, b]) node.failing.add('blockLimits')
  t.strictSame(await answered(pool.agreement(limit)), { agreed: undefined, opinions: [] })
  t.match(pool.health(), [{ reading: false }, { reading: false }])
})

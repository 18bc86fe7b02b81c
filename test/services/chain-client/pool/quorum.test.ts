import type { ChainNode } from '../../../../services/chain-client/index.ts'
import { seekQuorum } from '../../../../services/chain-client/pool/index.ts'
import { test } from '../../../helpers/tap.ts'
import { scriptedPool } from './scripted-node.ts'

const agree = (one: unknown, other: unknown) => one === other

const first = { node: '0', answer: 5 }

// The digits that each node answers in turn (a node without any is unavailable), what is agreed, and who was asked.
for (const [title, nodes, agreed, asked, said] of [
  ['two nodes give the same response', ['5', '5'], 5, '01'],
  ['a node corrects itself on a retry', ['15', '5'], 5, '010'],
  ['two nodes differ', ['11', '55'], undefined, '0101'],
  ['only one of two nodes responds', ['55', ''], undefined, '0101'],
  ['no node responds', ['', ''], undefined, '0101'],
  ['two of six nodes give the same response', ['1', '2', '3', '4', '5', '5'], 5, '012345'],
  ['the only node repeats its response', ['55'], 5, '00'],
  ['the only node never repeats its last response', ['1213'], undefined, '0000'],
  ['another node confirms an earlier response', ['', '5'], 5, '1', first],
  ['only the same node repeats an earlier response', ['55', ''], undefined, '1010', first]
] as const) {
  test(`${agreed === undefined ? 'reaches no agreement' : 'reaches agreement'} if ${title}`, async t => {
    let questions = ''
    const answers = nodes.map(digits => Array.from(digits, Number))
    const asking = answers.map((list, index) => ({
      name: `${index}`,
      async ask() {
        questions += index
        const answer = list.shift()
        if (answer === undefined) throw new Error('no response')
        return answer as never
      }
    }))
    const check = { question: 'blockLimits', ask: async () => 0, agree } as const
    const found = await seekQuorum(asking, nodes.length === 1, { ...check, ...(said && { earlier: said }) })
    t.strictSame(found.agreed, agreed === undefined ? undefined : [agreed, agreed])
    t.equal(questions, asked)
  })
}

test('asks lagging nodes too, so that one with a false height never decides alone', async t => {
  const { pool, a, b, answered, pass } = await scriptedPool(2)
  a.height += 1000
  await pass(4100)
  t.match(pool.health(), [{ reading: true }, { reading: false, fault: /behind/ }])
  a.answers.gasLimit = 1
  const ask = async (node: ChainNode) => (await node.blockLimits()).gas
  const { agreed } = await answered(pool.crossCheck({ question: 'blockLimits', ask, agree }))
  t.equal(agreed, undefined)
  t.ok(b.asked.length > 0)
})

import { createGasEstimate } from '../../../../services/submission/opinions/gas.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, passed, unavailable } from '../engine-context.ts'

const answered = (gasUsed?: number) => (gasUsed === undefined ? unavailable : passed(gasUsed))

/** Creates an estimate whose second node returns the given figures in turn. */
async function estimateWith(...figures: number[]) {
  let asked = 0
  const { engine, script } = await engineContext({ other: { simulate: () => answered(figures[asked++]) } })
  const estimate = createGasEstimate(engine.chain)
  const simulation = { messages: [], publicKey: engine.wallet.publicKey, sequence: 7 }
  return {
    estimate,
    asked: () => asked,
    async believe(
      gasUsed: number,
      change: { messages?: number; bytes?: number; failedBefore?: boolean } = {}
    ): Promise<number> {
      script.simulate = () => passed(gasUsed)
      const transaction = { messages: 1, bytes: 100, failedBefore: false, ...change }
      const { gas } = await estimate.believe({ gasUsed, node: 'node-1', simulation }, transaction)
      return gas
    }
  }
}

test('trusts a gas figure if a second node’s figure is similar, and uses the larger of the two', async t => {
  const { believe, asked, estimate } = await estimateWith(110_000)
  t.equal(estimate.perMessage, undefined)
  t.equal(await believe(100_000), 110_000)
  t.equal(asked(), 1)
  t.equal(estimate.perMessage, 110_000)
})

test('trusts figures up to twice the agreed figure per message, but does not raise the agreed figure', async t => {
  const { believe, asked } = await estimateWith(500_000)
  await believe(500_000, { messages: 5 })
  t.equal(await believe(1_000_000, { messages: 10 }), 1_000_000)
  t.equal(await believe(200_000), 200_000)
  t.equal(asked(), 1)
  t.equal(await believe(400_000), 200_000, 'no other node confirms the figure')
})

test('keeps an unconfirmed figure between one and two times the agreed figure', async t => {
  const { believe } = await estimateWith(100_000)
  await believe(100_000)
  t.equal(await believe(2 ** 52), 200_000)
  t.equal(await believe(1), 100_000)
  t.equal(
    await believe(1_000_000, { failedBefore: true }),
    1_000_000,
    'a failed block showed that more gas is needed'
  )
})

test('trusts any figure that another node confirms', async t => {
  const { believe, estimate } = await estimateWith(100_000, 900_000)
  await believe(100_000)
  t.equal(await believe(1_000_000), 1_000_000)
  t.equal(estimate.perMessage, 1_000_000)
})

test('confirms even a typical figure if the transaction failed before', async t => {
  const { believe, asked } = await estimateWith(100_000, 120_000)
  await believe(100_000)
  t.equal(await believe(100_000, { failedBefore: true }), 120_000)
  t.equal(asked(), 2)
})

test('without agreement, uses the lowest figure, or the highest after a failure', async t => {
  for (const [failedBefore, gas] of [
    [false, 1000],
    [true, 100_000]
  ] as const) {
    const two = await estimateWith(1000, 1000, 1000, 1000)
    t.equal(await two.believe(100_000, { failedBefore }), gas)
  }
})

test('requests at least the gas charged for the transaction’s bytes', async t => {
  const { believe } = await estimateWith(1)
  t.equal(await believe(1, { bytes: 400 }), 4000)
})

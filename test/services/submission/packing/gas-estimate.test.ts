import type { SimulationAnswer } from '../../../../services/chain-client/index.ts'
import { createGasEstimate } from '../../../../services/submission/packing/gas-estimate.ts'
import { test } from '../../../helpers/tap.ts'

/** An estimate whose further simulations give these figures, or none. */
function estimateWith(...figures: (number | undefined)[]) {
  const estimate = createGasEstimate()
  let asked = 0
  const again = async (): Promise<SimulationAnswer> => {
    const gasUsed = figures[asked++]
    if (gasUsed === undefined) return { status: 'unavailable', late: false, reason: 'no answer' }
    return { status: 'passed', gasUsed }
  }
  return {
    estimate,
    asked: () => asked,
    believe: (gasUsed: number, change: { messages?: number; bytes?: number; failedBefore?: boolean } = {}) =>
      estimate.believe(gasUsed, { messages: 1, bytes: 100, failedBefore: false, ...change }, again)
  }
}

test('the first figure is believed when a second one agrees, and the larger is taken', async t => {
  const { believe, asked, estimate } = estimateWith(110_000)
  t.equal(estimate.perMessage, undefined)
  t.equal(await believe(100_000), 110_000)
  t.equal(asked(), 1)
  t.equal(estimate.perMessage, 110_000)
})

test('a figure like the last ones is believed at once, per message', async t => {
  const { believe, asked } = estimateWith(100_000)
  await believe(100_000)
  t.equal(await believe(1_000_000, { messages: 10 }), 1_000_000)
  t.equal(await believe(2_000_000, { messages: 10 }), 2_000_000)
  t.equal(asked(), 1)
})

test('a wrong figure that is not said again, too high or too low, is not believed', async t => {
  for (const wrong of [1, 20_000, 1_000_000, 2 ** 52]) {
    for (const figures of [
      [wrong, 100_000, 100_000],
      [100_000, wrong, 100_000, 100_000],
      [wrong, 100_000, wrong, 100_000, 100_000]
    ]) {
      const [first = 0, ...others] = figures
      const { believe } = estimateWith(...others)
      t.equal(await believe(first), 100_000)
    }
  }
})

test('a figure that is unlike the last ones is believed when it is said again', async t => {
  const { believe, estimate } = estimateWith(100_000, 900_000, 90_000, 100_000)
  await believe(100_000)
  t.equal(await believe(1_000_000), 1_000_000)
  t.equal(estimate.perMessage, 1_000_000)
  t.equal(await believe(100_000), 100_000, 'and back')
})

test('what failed before is asked for twice, however usual its figure is', async t => {
  const { believe, asked } = estimateWith(100_000, 120_000)
  await believe(100_000)
  t.equal(await believe(100_000, { failedBefore: true }), 120_000)
  t.equal(asked(), 2)
})

test('without a second answer no figure is believed', async t => {
  t.equal(await estimateWith(undefined).believe(100_000), undefined)
  t.equal(await estimateWith(1, undefined).believe(100_000), undefined)
})

test('of two nodes that never agree the lower is believed, and the higher when that failed', async t => {
  for (const [failedBefore, gas] of [
    [false, 1000],
    [true, 100_000]
  ] as const) {
    const two = estimateWith(1000, 100_000, 1000, 100_000, 1000)
    t.equal(await two.believe(100_000, { failedBefore }), gas)
    t.equal(two.asked(), 4)
  }
})

test('no transaction needs less gas than its bytes', async t => {
  const { believe } = estimateWith(1)
  t.equal(await believe(1, { bytes: 400 }), 4000)
})

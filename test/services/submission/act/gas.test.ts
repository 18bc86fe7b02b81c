import { createGasEstimate } from '../../../../services/submission/act/gas.ts'
import { test } from '../../../helpers/tap.ts'
import { engineContext, passed, unavailable } from './engine-context.ts'

const failedBefore = { hasFailed: true }

/** Each simulation: the first node's figure, what else is known of the transaction, and the gas that is believed. */
type Simulated = [figure: number, transaction: object, believed: number]

// The second node's figures in turn (none once they are used up), the simulations, and how often the second node was asked.
const CASES: [title: string, others: number[], simulated: Simulated[], asked: number][] = [
  ['the larger of two similar figures', [110_000], [[100_000, {}, 110_000]], 1],
  [
    'figures up to twice the agreed figure per message, without raising it',
    [500_000],
    [
      [500_000, { messages: 5 }, 500_000],
      [1_000_000, { messages: 10 }, 1_000_000],
      [200_000, {}, 200_000],
      // The own gas of a transaction, which ten messages shared, is added.
      [400_000, {}, 260_000]
    ],
    3
  ],
  [
    'an unconfirmed figure only between one and two times the agreed figure, unless a block has shown more',
    [100_000],
    [
      [100_000, {}, 100_000],
      [2 ** 52, {}, 200_000],
      [1, {}, 100_000],
      [1_000_000, failedBefore, 1_000_000]
    ],
    7
  ],
  [
    'any figure that another node confirms',
    [100_000, 900_000],
    [
      [100_000, {}, 100_000],
      [1_000_000, {}, 1_000_000]
    ],
    2
  ],
  [
    'a typical figure after a failure only once it is confirmed',
    [100_000, 120_000],
    [
      [100_000, {}, 100_000],
      [100_000, failedBefore, 120_000]
    ],
    2
  ],
  ['the lowest figure without agreement', [1000, 1000, 1000, 1000], [[100_000, {}, 1000]], 2],
  [
    'the highest figure without agreement after a failure',
    [1000, 1000, 1000, 1000],
    [[100_000, failedBefore, 100_000]],
    2
  ],
  ['at least the gas charged for the transaction’s bytes', [1], [[1, { bytes: 400 }, 4000]], 1]
]

for (const [title, others, simulated, times] of CASES) {
  test(`believes ${title}`, async t => {
    let asked = 0
    const simulate = () => {
      const figure = others[asked++]
      return figure === undefined ? unavailable : passed(figure)
    }
    const { engine, script } = await engineContext({ other: { simulate } })
    const estimate = createGasEstimate(engine.chain)
    const simulation = { messages: [], publicKey: engine.wallet.publicKey, sequence: 7 }
    for (const [gasUsed, change, believed] of simulated) {
      script.simulate = () => passed(gasUsed)
      const transaction = { messages: 1, bytes: 100, hasFailed: false, ...change }
      const { gas } = await estimate.trustedGas({ gasUsed, node: 'node-1', simulation }, transaction)
      t.equal(gas, believed)
    }
    t.equal(asked, times)
  })
}

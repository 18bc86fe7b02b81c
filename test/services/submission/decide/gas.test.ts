import {
  type GasAnswers,
  type GasReport,
  trustedGas,
  type UsualGas
} from '../../../../services/submission/decide/gas.ts'
import { test } from '../../../helpers/tap.ts'

const USUAL: UsualGas = { agreed: 100_000, lowest: 100_000, messages: 1, isConfirmed: true }
const OF_ONE: UsualGas = { ...USUAL, isConfirmed: false }
const OF_MANY: UsualGas = { ...USUAL, agreed: 27_000, lowest: 27_000, messages: 100 }

const two = (...figures: number[]): GasAnswers => ({ agreement: 'two', figures })
const same = (...figures: number[]): GasAnswers => ({ agreement: 'same', figures })
const none = (...figures: number[]): GasAnswers => ({ agreement: 'none', figures })
const usualOf = (agreed: number, lowest = agreed, isConfirmed = true) => ({
  usual: { agreed, lowest, isConfirmed }
})

const ASK = { do: 'ask' }
const certain = (gas: number, more = {}) => ({ gas, isConfirmed: true, isRise: false, ...more })
const uncertain = (gas: number, more = {}) => ({ gas, isConfirmed: false, isRise: false, ...more })

type Row = [
  what: string,
  gasUsed: number,
  usual: UsualGas | undefined,
  belief: object,
  answers?: GasAnswers | undefined,
  report?: Partial<GasReport>
]

const FAILED = { hasFailed: true }

const ROWS: Row[] = [
  ['is confirmed first', 100_000, undefined, ASK],
  ['is usual', 100_000, USUAL, certain(100_000, usualOf(100_000))],
  ['is usual, up to twice as much', 200_000, USUAL, certain(200_000, usualOf(100_000))],
  [
    'is usual, and lowers the bound',
    600_000,
    USUAL,
    certain(600_000, usualOf(100_000, 60_000)),
    undefined,
    { messages: 10 }
  ],
  [
    'is usual, and lowers the bound by half at most',
    50_000,
    { ...USUAL, agreed: 100_000, lowest: 50_000 },
    certain(50_000, usualOf(100_000, 50_000))
  ],
  ['is above the lowered bound', 200_000, { ...USUAL, lowest: 60_000 }, ASK],
  ['is higher than usual', 200_001, USUAL, ASK],
  ['is lower than usual', 49_999, USUAL, ASK],
  ['is usual, but failed', 100_000, USUAL, ASK, undefined, FAILED],
  ['is at least the gas of its bytes', 1, undefined, certain(4000), two(1, 1), { bytes: 400 }],
  // Two nodes agree.
  [
    'is the larger of two similar ones',
    100_000,
    undefined,
    certain(110_000, usualOf(110_000, 100_000)),
    two(100_000, 110_000)
  ],
  [
    'is confirmed, and an alert',
    300_000,
    USUAL,
    certain(310_000, { isRise: true, ...usualOf(310_000, 300_000) }),
    two(300_000, 310_000)
  ],
  ['is of one message after many', 58_000, OF_MANY, certain(58_000, usualOf(58_000)), two(58_000, 58_000)],
  [
    'is of one message after many, and an alert',
    120_000,
    OF_MANY,
    certain(120_000, { isRise: true }),
    two(120_000, 120_000)
  ],
  // Other nodes are silent or disagree.
  ['is the lowest at first', 100_000, undefined, uncertain(1000, { usual: undefined }), none(100_000, 1000)],
  [
    'is the highest at first after a failure',
    100_000,
    undefined,
    uncertain(100_000),
    none(100_000, 1000),
    FAILED
  ],
  ['is cut to twice the usual', 2_100_000, USUAL, uncertain(200_000, usualOf(100_000)), none(2_100_000)],
  [
    'is cut to twice the lowered bound',
    2_100_000,
    { ...USUAL, lowest: 60_000 },
    uncertain(120_000),
    none(2_100_000)
  ],
  ['is at least the usual', 1, USUAL, uncertain(100_000, usualOf(100_000)), none(1)],
  [
    'is believed after a failure, and an alert',
    2_100_000,
    USUAL,
    uncertain(2_100_000, { isRise: true, ...usualOf(100_000) }),
    none(2_100_000),
    FAILED
  ],
  // There is only one node.
  [
    'is the only node’s',
    100_000,
    undefined,
    uncertain(100_000, usualOf(100_000, 100_000, false)),
    same(100_000, 100_000)
  ],
  ['is the only node’s, and usual', 150_000, OF_ONE, uncertain(150_000)],
  [
    'is the only node’s, and cut to twice the usual',
    2_100_000,
    OF_ONE,
    uncertain(200_000, usualOf(100_000, 100_000, false)),
    same(2_100_000, 2_100_000)
  ],
  [
    'is the only node’s, and cut to twice a fraction',
    58_000,
    { ...OF_ONE, agreed: 28_548.3, lowest: 28_548.3 },
    uncertain(57_097),
    same(58_000, 58_000)
  ],
  [
    'is the only node’s, and cut to twice the usual and a transaction’s own after many',
    500_000,
    { ...OF_MANY, isConfirmed: false },
    uncertain(114_000),
    same(500_000, 500_000)
  ],
  [
    'is the only node’s, and lower',
    1000,
    OF_ONE,
    uncertain(1000, usualOf(1000, 1000, false)),
    same(1000, 1000)
  ],
  [
    'is the only node’s, and proven by a failure',
    300_000,
    OF_ONE,
    uncertain(300_000, { isRise: true, ...usualOf(300_000, 300_000, false) }),
    same(300_000, 300_000),
    FAILED
  ]
]

for (const [what, gasUsed, usual, belief, answers, report] of ROWS) {
  test(`gas ${what}`, async t => {
    t.match(
      trustedGas({ gasUsed, messages: 1, bytes: 100, hasFailed: false, ...report }, usual, answers),
      belief
    )
  })
}

import { type GasAnswers, trustedGas, type UsualGas } from '../../../../services/submission/decide/gas.ts'
import { test } from '../../../helpers/tap.ts'

const USUAL: UsualGas = { agreed: 100_000, lowest: 100_000, messages: 1, isConfirmed: true }
const LOWERED = { ...USUAL, lowest: 60_000 }
const BY_ONE: UsualGas = { ...USUAL, isConfirmed: false }
const OF_MANY: UsualGas = { ...USUAL, agreed: 27_000, lowest: 27_000, messages: 100 }
const FRACTION = { ...BY_ONE, agreed: 28_548.3, lowest: 28_548.3 }

/** What a simulation reported of one message, the usual gas, what nodes answered, and what is believed. */
type Row = [gasUsed: number, usual: UsualGas | undefined, answers: string, belief: string, change?: object]

const FAILED = { hasFailed: true }

const ROWS: Row[] = [
  [100_000, undefined, '', 'ask'],
  [100_000, USUAL, '', '100000, usual 100000 to 100000'],
  [200_000, USUAL, '', '200000, usual 100000 to 100000'],
  [600_000, USUAL, '', '600000, usual 60000 to 100000', { messages: 10 }],
  [50_000, { ...USUAL, lowest: 50_000 }, '', '50000, usual 50000 to 100000'],
  [200_001, USUAL, '', 'ask'],
  [49_999, USUAL, '', 'ask'],
  [120_001, LOWERED, '', 'ask'],
  [100_000, USUAL, '', 'ask', FAILED],
  // Two nodes agree.
  [1, undefined, 'two: 1 1', '4000, usual 1 to 1', { bytes: 400 }],
  [100_000, undefined, 'two: 100000 110000', '110000, usual 100000 to 110000'],
  [300_000, USUAL, 'two: 300000 310000', '310000, a rise, usual 300000 to 310000'],
  [120_000, OF_MANY, 'two: 120000 120000', '120000, a rise, usual 120000 to 120000'],
  // Other nodes are silent or disagree.
  [100_000, undefined, 'none: 100000 1000', '1000?'],
  [100_000, undefined, 'none: 100000 1000', '100000?', FAILED],
  [2_100_000, USUAL, 'none: 2100000', '200000?, usual 100000 to 100000'],
  [2_100_000, LOWERED, 'none: 2100000', '120000?, usual 60000 to 100000'],
  [1, USUAL, 'none: 1', '100000?, usual 100000 to 100000'],
  [2_100_000, USUAL, 'none: 2100000', '2100000?, a rise, usual 100000 to 100000', FAILED],
  // There is only one node.
  [100_000, undefined, 'same: 100000 100000', '100000?, usual 100000 to 100000?'],
  [150_000, BY_ONE, '', '150000?, usual 100000 to 100000?'],
  [2_100_000, BY_ONE, 'same: 2100000 2100000', '200000?, usual 100000 to 100000?'],
  [58_000, FRACTION, 'same: 58000 58000', '57097?, usual 28548.3 to 28548.3?'],
  [500_000, { ...OF_MANY, isConfirmed: false }, 'same: 500000 500000', '114000?, usual 27000 to 27000?'],
  [1000, BY_ONE, 'same: 1000 1000', '1000?, usual 1000 to 1000?'],
  [300_000, BY_ONE, 'same: 300000 300000', '300000?, a rise, usual 300000 to 300000?', FAILED]
]

function answersOf(text: string): GasAnswers | undefined {
  const [, agreement, figures = ''] = /^(two|none|same): (.*)$/.exec(text) ?? []
  return agreement ? { agreement: agreement as 'two', figures: figures.split(' ').map(Number) } : undefined
}

test('believes gas that is usual, or that two nodes report', async t => {
  for (const [gasUsed, usual, answers, belief, change] of ROWS) {
    const what = JSON.stringify({ gasUsed, usual, answers, ...change })
    const report = { gasUsed, messages: 1, bytes: 100, hasFailed: false, ...change }
    const found = trustedGas(report, usual, answersOf(answers))
    const mark = (isConfirmed: boolean) => (isConfirmed ? '' : '?')
    const next = found.do !== 'ask' && found.usual
    const usually = next ? `, usual ${next.lowest} to ${next.agreed}${mark(next.isConfirmed)}` : ''
    const rise = found.do !== 'ask' && found.isRise ? ', a rise' : ''
    const text = found.do === 'ask' ? 'ask' : `${found.gas}${mark(found.isConfirmed)}${rise}${usually}`
    t.equal(text, belief, what)
  }
})

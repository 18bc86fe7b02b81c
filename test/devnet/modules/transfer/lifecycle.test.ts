import { specialTargets } from '../../../../devnet/modules/transfer/special-addresses.ts'
import { test } from '../../../helpers/tap.ts'
import { type Bench, createBench } from './module-bench.ts'

/** What a record's status is after each of the next blocks. */
function statuses(bench: Bench, id: number, blocks: number): (string | undefined)[] {
  return Array.from({ length: blocks }, () => bench.module.records.find(id, bench.endBlock())?.status)
}

test('a transfer moves one step per block until it is Completed, and then stays Completed', t => {
  const bench = createBench()
  bench.transfer({})
  t.strictSame(statuses(bench, 1, 6), [
    'Available',
    'Pull_Confirmed',
    'Pulled',
    'Paid',
    'Completed',
    'Completed'
  ])
  const record = bench.module.records.find(1, 6)
  t.match(record, {
    pullHash: /^0x[0-9a-f]{64}$/,
    releaseHash: /^[1-9A-HJ-NP-Za-km-z]{86,88}$/,
    refundHash: '',
    failReason: '',
    pullFailCount: 0
  })
  t.equal(bench.module.records.find(1, 2)?.pullHash, '', 'before it was pulled')
  t.equal(bench.module.records.find(1, 0), undefined, 'before it was there')
  t.end()
})

test('transfers of different blocks move independently', t => {
  const bench = createBench()
  bench.transfer({})
  bench.endBlock()
  bench.swap({})
  const height = bench.endBlock()
  t.strictSame(
    bench.module.records.list(height).map(({ id, kind, status }) => ({ id, kind, status })),
    [
      { id: 1, kind: 'transfer', status: 'Pull_Confirmed' },
      { id: 2, kind: 'swap', status: 'Available' }
    ]
  )
  t.end()
})

test('a transfer that ends early stays as it is and does not affect an older one', t => {
  const bench = createBench()
  bench.transfer({})
  bench.transfer({ targetAddress: specialTargets.failedToPull })
  const seen = Array.from({ length: 7 }, () =>
    bench.module.records.list(bench.endBlock()).map(({ status }) => status)
  )
  t.strictSame(seen, [
    ['Available', 'Available'],
    ['Pull_Confirmed', 'FailedToPull'],
    ['Pulled', 'FailedToPull'],
    ['Paid', 'FailedToPull'],
    ['Completed', 'FailedToPull'],
    ['Completed', 'FailedToPull'],
    ['Completed', 'FailedToPull']
  ])
  t.equal(bench.module.records.find(2, 1)?.status, 'Available')
  t.end()
})

const endings = {
  failedToPull: ['FailedToPull'],
  failedToPay: ['Pull_Confirmed', 'Pulled', 'FailedToPay'],
  refunded: ['Pull_Confirmed', 'Pulled', 'RefundStart', 'RefundCompleted'],
  refundFailed: ['Pull_Confirmed', 'Pulled', 'RefundStart', 'RefundFailed'],
  declined: ['DeclinedInvalid'],
  unavailable: ['UnAvailable']
} as const

for (const [name, expected] of Object.entries(endings)) {
  test(`a special target ends with ${expected.at(-1)}`, t => {
    const bench = createBench()
    const targetAddress = specialTargets[name as keyof typeof endings].replace('f', 'F')
    bench.transfer({ targetAddress })
    t.strictSame(statuses(bench, 1, expected.length + 1), ['Available', ...expected])
    bench.endBlock()
    const record = bench.module.records.find(1, bench.endBlock())
    t.equal(record?.status, expected.at(-1), 'and stays so')
    t.not(name === 'refunded' ? '' : record?.failReason, name === 'refunded' ? record?.refundHash : '')
    t.equal(record?.pullFailCount, name === 'failedToPull' ? 1 : 0)
    t.end()
  })
}

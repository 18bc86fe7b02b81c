import {
  gasBudget,
  gasLeftInBlock,
  MAX_MESSAGES,
  nextBatch
} from '../../../../services/submission/pack/batch.ts'
import { test } from '../../../helpers/tap.ts'

/** @param limit of a transaction with them, as suspects of a failure */
function queue(count: number, { bytes = 300, limit = 0 } = {}) {
  return Array.from({ length: count }, (_, index) => ({
    submissionId: limit ? `${limit}/${index}` : String(index),
    typeUrl: '/example.Msg',
    message: new Uint8Array(bytes)
  }))
}

const maxBytes = 400_000
const together = ({ submissionId }: { submissionId: string }) => {
  const [limit, index] = submissionId.split('/')
  return index === undefined ? undefined : Number(limit)
}
const roomy = { gasBudget: 10_000_000, gasPerMessage: undefined, maxBytes, together }

test('a batch has as many messages as the gas allows, in order', async t => {
  const batch = nextBatch(queue(300), { ...roomy, gasPerMessage: 100_000 })
  t.strictSame(
    batch.map(({ submissionId }) => Number(submissionId)),
    [...Array(100).keys()]
  )
  t.equal(nextBatch(queue(3), roomy).length, 3)
  t.equal(nextBatch(queue(2000), roomy).length, MAX_MESSAGES)
  t.strictSame(nextBatch([], roomy), [])
})

test('one message is always packed, however large or expensive', async t => {
  t.equal(nextBatch(queue(5), { ...roomy, gasBudget: 10, gasPerMessage: 100 }).length, 1)
  t.equal(nextBatch(queue(5, { bytes: 900_000 }), roomy).length, 1)
})

test('a batch stays below the most bytes', async t => {
  t.equal(nextBatch(queue(100, { bytes: 9900 }), roomy).length, 40)
  t.equal(nextBatch(queue(100, { bytes: 9900 }), { ...roomy, maxBytes: 50_000 }).length, 5)
})

test('messages that failed together share half of that transaction, and not with others', async t => {
  t.equal(nextBatch(queue(8, { limit: 4 }), roomy).length, 4)
  t.equal(nextBatch([...queue(3, { limit: 4 }), ...queue(3)], roomy).length, 3)
  t.equal(nextBatch([...queue(3, { limit: 4 }), ...queue(3, { limit: 2 })], roomy).length, 3)
  t.equal(nextBatch(queue(50, { limit: 1 }), roomy).length, 1)
})

test('a transaction may ask for a quarter of a block', async t => {
  t.equal(gasBudget(40_000_000), 10_000_000)
})

test('the gas that is left in the block that transactions fill, in order', async t => {
  t.equal(gasLeftInBlock([], 100), 100)
  t.equal(gasLeftInBlock([40, 40], 100), 20)
  t.equal(gasLeftInBlock([40, 40, 20], 100), 0)
  t.equal(gasLeftInBlock([40, 40, 40], 100), 60, 'the third does not fit and starts another block')
})

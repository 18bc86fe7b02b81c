import { decide } from '../../operator/moving/slot-ends.ts'
import { test } from '../helpers/tap.ts'

test('a submission that another transaction has settled is not settled again with its slot', async t => {
  const variant = {
    hash: 'HASH',
    sequence: 7,
    bytes: new Uint8Array(),
    gasLimit: 100,
    feeAmount: 1n,
    submissionIds: ['first', '', 'third']
  }
  const context = {
    config: { SERVICE_BRAND: 'service' },
    print() {},
    chainApi(): never {
      throw new Error('not now')
    }
  }
  const queries = { variants: async () => [variant], newestTxId: async () => 0 }
  const [end] = await decide(context, queries, [7], new Map([[7, { hash: 'HASH', height: 5 }]]))
  t.strictSame(
    end?.executions.map(({ submissionId }) => submissionId),
    ['first', 'third']
  )
})

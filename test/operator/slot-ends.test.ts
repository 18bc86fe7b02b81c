import { decide } from '../../operator/moving/slot-ends.ts'
import { test } from '../helpers/tap.ts'

/**
 * What becomes of submissions when their transaction was executed in a block that cannot be read.
 * @param records how many the chain has of that transaction
 */
async function executions(submissionIds: string[], records: number) {
  const sequence = 7
  const variant = {
    hash: 'HASH',
    sequence,
    bytes: new Uint8Array(),
    gasLimit: 100,
    feeAmount: 1n,
    submissionIds
  }
  const printed: string[] = []
  const context = {
    config: { SERVICE_BRAND: 'service' },
    print: (line: string) => void printed.push(line),
    chainApi: () => ({
      name: 'chain API',
      get: () => Promise.reject(new Error('not asked')),
      find: async (_path: string, id: string) =>
        Number(id) <= records ? { serviceTxHash: 'HASH' } : undefined,
      close: async () => {}
    })
  }
  const queries = { variants: async () => [variant], newestTxId: async () => 0 }
  const [end] = await decide(context, queries, [sequence], new Map([[sequence, { hash: 'HASH', height: 5 }]]))
  const settled = end?.executions.map(execution => [
    execution.submissionId,
    execution.status === 'committed' && execution.txId
  ])
  return { settled, printed: printed.join() }
}

test('a submission that another transaction has settled is not settled again with its slot', async t => {
  const { settled } = await executions(['first', '', 'third'], 3)
  t.strictSame(settled, [
    ['first', 1],
    ['third', 3]
  ])
})

test('ids belong to no submission when the transaction has fewer of them', async t => {
  const { settled, printed } = await executions(['first', 'second'], 1)
  t.strictSame(settled, [
    ['first', undefined],
    ['second', undefined]
  ])
  t.match(printed, 'only 1 of 2 submissions have a record')
})

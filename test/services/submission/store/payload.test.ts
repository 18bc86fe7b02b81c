import { createMessageTypes, type MessageType } from '../../../../services/messages/index.ts'
import type { CommittedSubmission, RejectedSubmission } from '../../../../services/submission/contract.ts'
import { submissionSettled } from '../../../../services/submission/store/payload.ts'
import { test } from '../../../helpers/tap.ts'
import { ROUTE } from '../../../helpers/transfer.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('acme')

const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:09.000Z' }
const executed = { transactionHash: 'AB', height: 7 }
const events = [{ type: 'transaction_requested', attributes: [{ key: 'txId', value: '42' }] }]
const id = '8b0c'
const gas = { gasUsed: 1, gasWanted: 2 }
const committed: CommittedSubmission = {
  submissionId: id,
  status: 'committed',
  ...times,
  txId: 42,
  ...executed,
  ...gas,
  events
}
const reason = { codespace: 'bank', message: 'refused "\u0000\ud800"' }
const error = { code: 5, ...reason }
const rejected: RejectedSubmission = { submissionId: id, status: 'rejected', ...times, error }
const amounts = { amount: '90071992547409931.000000000000000001', fee: '0.5' }

function dataOf<T>(type: MessageType<T>, fields: Partial<T>, submission: typeof committed | typeof rejected) {
  const message = type.encode(type.fromPartial(fields)).finish()
  const { payload, ...event } = submissionSettled(submission, { typeUrl: type.typeUrl, message })
  return { ...event, ...JSON.parse(payload) }
}

test('an event has the submission, the request’s amounts and parties, and nothing else', async t => {
  const options = { feeId: 'fee-1', transactionIdSeed: 'of no rail', holder: 'A. Person' }
  const transfer = { ...ROUTE, ...amounts, options: JSON.stringify(options) }
  const { txId: _, ...withoutTxId } = committed
  for (const [submission, isWatched] of [
    [committed, true],
    [withoutTxId, false],
    [rejected, false],
    [{ ...rejected, ...executed }, false]
  ] as const) {
    const { status } = submission
    const { events: __, gasUsed, gasWanted, ...state } = { ...gas, events, ...submission }
    const view = 'error' in state ? { ...state, error: { chainCode: 5, ...reason } } : state
    t.strictSame(dataOf(requestTransaction, transfer, submission), {
      submissionId: id,
      type: `submission.${status}`,
      isWatched,
      timestamp: times.updatedAt,
      data: { kind: 'transfer', submission: view, request: { feeId: 'fee-1', ...ROUTE, ...amounts } }
    })
  }
})

test('the event contains the payment of a fiat transfer, and both amounts of a swap', async t => {
  const payment = { feeId: 'fee-1', transactionIdSeed: 'payment-1' }
  const fiat = { originChain: 'FIAT', options: JSON.stringify(payment) }
  t.match(dataOf(requestTransaction, fiat, rejected), { data: { request: payment } })
  const swap = { ...ROUTE, amountIn: '1', amountOut: '0.9', fee: '0.1' }
  t.match(dataOf(requestSwapTransaction, swap, rejected), { data: { kind: 'swap', request: swap } })
  const { payload } = submissionSettled(committed, { typeUrl: '/x.Y', message: Uint8Array.of(0x0a, 0x7f) })
  t.match(JSON.parse(payload).data, { submission: { txId: 42 }, request: { originChain: '', amount: '' } })
})

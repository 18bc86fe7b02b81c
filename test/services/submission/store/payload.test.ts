import Fastify from 'fastify'
import { SubmissionState } from '../../../../schemas/submission.ts'
import { createMessageTypes, type MessageType } from '../../../../services/messages/index.ts'
import type { CommittedSubmission, RejectedSubmission } from '../../../../services/submission/contract.ts'
import { submissionSettled } from '../../../../services/submission/store/payload.ts'
import { viewOf } from '../../../../services/submission/view.ts'
import { test } from '../../../helpers/tap.ts'
import { ROUTE } from '../../../helpers/transfer.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('acme')

const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:09.000Z' }
const committed: CommittedSubmission = {
  submissionId: '8b0c',
  status: 'committed',
  txId: 42,
  transactionHash: 'AB',
  height: 7,
  gasUsed: 1,
  gasWanted: 2,
  events: [{ type: 'transaction_requested', attributes: [{ key: 'txId', value: '42' }] }],
  ...times
}
const { txId: _, ...withoutTxId } = committed
const rejected: RejectedSubmission = {
  submissionId: '9c1d',
  status: 'rejected',
  error: { code: 5, codespace: 'bank', message: 'refused "\u0000\ud800"' },
  ...times
}

const transfer = {
  typeUrl: requestTransaction.typeUrl,
  message: requestTransaction
    .encode(
      requestTransaction.fromPartial({
        ...ROUTE,
        amount: '90071992547409931.000000000000000001',
        fee: '0.5',
        options: JSON.stringify({ feeId: 'fee-1', transactionIdSeed: 'of no rail', holder: 'A. Person' })
      })
    )
    .finish()
}

async function answerOf(submission: CommittedSubmission | RejectedSubmission): Promise<string> {
  const app = Fastify()
  app.get('/', { schema: { response: { 200: SubmissionState } } }, async () => viewOf(submission))
  return (await app.inject('/')).body
}

for (const submission of [
  committed,
  withoutTxId,
  rejected,
  { ...rejected, transactionHash: 'AB', height: 7 }
]) {
  test(`the event contains a ${submission.status} submission exactly as the API returns it`, async t => {
    const { payload } = submissionSettled(submission, transfer)
    t.ok(payload.includes(`"submission":${await answerOf(submission)},`), payload)
  })
}

test('the event contains the request’s amounts and parties, and no other user input', async t => {
  const { payload, ...event } = submissionSettled(committed, transfer)
  t.strictSame(event, { submissionId: '8b0c', type: 'submission.committed', isWatched: true })
  const { type, timestamp, data } = JSON.parse(payload)
  t.strictSame([type, timestamp, data.kind], ['submission.committed', times.updatedAt, 'transfer'])
  t.strictSame(data.request, {
    feeId: 'fee-1',
    ...ROUTE,
    amount: '90071992547409931.000000000000000001',
    fee: '0.5'
  })
})

test('the event contains the payment of a fiat transfer, and both amounts of a swap', async t => {
  const requestIn = <T>(type: MessageType<T>, fields: Partial<T>) => {
    const message = type.encode(type.fromPartial(fields)).finish()
    return JSON.parse(submissionSettled(rejected, { typeUrl: type.typeUrl, message }).payload).data
  }
  const options = JSON.stringify({ feeId: 'fee-1', transactionIdSeed: 'payment-1' })
  const fiat = { feeId: 'fee-1', transactionIdSeed: 'payment-1' }
  t.match(requestIn(requestTransaction, { originChain: 'FIAT', options }).request, fiat)
  const amounts = { amountIn: '1', amountOut: '0.9', fee: '0.1' }
  const swap = { kind: 'swap', request: { ...ROUTE, ...amounts } }
  t.match(requestIn(requestSwapTransaction, { ...ROUTE, ...amounts }), swap)
  const { payload } = submissionSettled(committed, { typeUrl: '/x.Y', message: Uint8Array.of(0x0a, 0x7f) })
  t.match(JSON.parse(payload).data, { submission: { txId: 42 }, request: { originChain: '', amount: '' } })
})

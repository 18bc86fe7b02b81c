import { createMessageTypes } from '../../../../services/messages/index.ts'
import { submissionSettled } from '../../../../services/submission/store/payload.ts'
import { test } from '../../../helpers/tap.ts'

const { requestTransaction } = createMessageTypes('acme')

/** Returns the data of the event of a submission that the chain refused before a block. */
function dataOf(typeUrl: string, message: Uint8Array) {
  const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:09.000Z' }
  const error = { code: 5, codespace: 'bank', message: 'refused "\u0000\ud800"' }
  const submission = { submissionId: '8b0c', status: 'rejected', ...times, error } as const
  return JSON.parse(submissionSettled(submission, { typeUrl, message }).payload).data
}

test('an event has the request’s exact amounts, and the chain’s reason as it is', async t => {
  const amounts = { amount: '90071992547409931.000000000000000001', fee: '0.5' }
  const message = requestTransaction.encode(requestTransaction.fromPartial(amounts)).finish()
  const submission = { submissionId: '8b0c', error: { chainCode: 5, message: 'refused "\u0000\ud800"' } }
  t.match(dataOf(requestTransaction.typeUrl, message), { submission, request: amounts })
})

test('a submission whose message is damaged still has an event', async t => {
  const request = { originChain: '', amount: '' }
  t.match(dataOf('/x.Y', Uint8Array.of(0x0a, 0x7f)), { submission: { submissionId: '8b0c' }, request })
})

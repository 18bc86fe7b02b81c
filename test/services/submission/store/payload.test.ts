import { submissionSettled } from '../../../../services/submission/store/payload.ts'
import { test } from '../../../helpers/tap.ts'

test('a submission whose message is damaged still has an event', async t => {
  const times = { createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:09.000Z' }
  const error = { code: 5, codespace: 'bank', message: 'refused' }
  const submission = { submissionId: '8b0c', status: 'rejected', ...times, error } as const
  const { payload } = submissionSettled(submission, { typeUrl: '/x.Y', message: Uint8Array.of(0x0a, 0x7f) })
  const request = { originChain: '', amount: '' }
  t.match(JSON.parse(payload).data, { submission: { submissionId: '8b0c' }, request })
})

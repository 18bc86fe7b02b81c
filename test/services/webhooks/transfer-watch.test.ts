import type { StatusRecord } from '../../../services/status/record.ts'
import type { WatchedTransfer } from '../../../services/submission/store/payload.ts'
import { startTransferWatch } from '../../../services/webhooks/transfer-watch.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

const MINUTE_MS = 60_000
const request = { ...ROUTE, fee: '1' }

test('polls again when a status is missing or unreadable, until the stop', async t => {
  const clock = createVirtualClock()
  const { log, entries } = keepingLog()
  const transfers: WatchedTransfer[] = [1, 2, 3].map(txId => {
    return { submissionId: `s${txId}`, txId, kind: 'transfer', request, committedAt: 0 }
  })
  const dueAt = new Map<string, number>()
  const finished: string[] = []
  let poll = async (_signal?: AbortSignal): Promise<StatusRecord | undefined> => undefined
  const stop = startTransferWatch({
    outbox: {
      claimTransfers: async () =>
        transfers.filter(({ submissionId }) => (dueAt.get(submissionId) ?? 0) <= clock.elapsed()),
      async postponeTransfers(postponed) {
        for (const { submissionId, delayMs } of postponed) dueAt.set(submissionId, clock.elapsed() + delayMs)
      },
      async finish(over) {
        for (const { transfer } of over) finished.push(transfer.submissionId)
        for (const submissionId of finished) dueAt.set(submissionId, Number.POSITIVE_INFINITY)
      }
    },
    status: { poll: (_kind, _txId, signal) => poll(signal) },
    now: clock.elapsed,
    finished: () => {},
    log,
    clock
  })
  await clock.runFor(10_000)
  poll = () => Promise.reject(new Error('no upstream'))
  await clock.runFor(60 * MINUTE_MS)
  t.strictSame(finished, [])
  const fields = { failures: 1, err: { message: 'no upstream' } }
  t.match(entries, [{ level: 'warn', fields, message: 'transfer statuses could not be read for webhooks' }])
  poll = async () => ({ txstatus: 'FailedToPay' })
  await clock.runFor(10 * MINUTE_MS)
  t.strictSame(finished.toSorted(), ['s1', 's2', 's3'])

  dueAt.clear()
  poll = signal => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  await clock.runFor(MINUTE_MS)
  t.strictSame([...dueAt], [], 'the chain does not respond')
  await stop()
  t.equal(dueAt.size, 3, 'the stop does not wait for it')
})

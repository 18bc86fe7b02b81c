import type { StatusRecord } from '../../../services/status/record.ts'
import type { WatchedTransfer } from '../../../services/submission/store/payload.ts'
import { startTransferWatch } from '../../../services/webhooks/transfer-watch.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { ROUTE } from '../../helpers/transfer.ts'
import { createVirtualClock } from '../../simulation/time/virtual-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Find = (kind: string, txId: string) => Promise<StatusRecord | undefined>

/** Watches `count` transfers, on a separate clock. */
function watch(count: number, find: Find, ageOf = (_txId: number) => 0) {
  const clock = createVirtualClock()
  const { log, entries } = keepingLog()
  const looks: number[] = []
  const finished: { txId: number; record: StatusRecord }[] = []
  let wakes = 0
  const dueAt = new Map<WatchedTransfer, number>()
  for (let txId = 1; txId <= count; txId += 1) {
    const kind = txId === 2 ? 'swap' : 'transfer'
    const request = { ...ROUTE, fee: '1' }
    dueAt.set({ submissionId: `s${txId}`, txId, kind, request, committedAt: -ageOf(txId) }, 0)
  }
  const stop = startTransferWatch({
    outbox: {
      async claimTransfers(limit) {
        const due = [...dueAt].filter(([, at]) => at <= clock.elapsed())
        const claimed = due.map(([transfer]) => transfer).slice(0, limit)
        for (const transfer of claimed) dueAt.set(transfer, clock.elapsed() + MINUTE_MS)
        return claimed
      },
      async postponeTransfers(postponed) {
        for (const transfer of dueAt.keys()) {
          const delayMs = postponed.find(
            ({ submissionId }) => submissionId === transfer.submissionId
          )?.delayMs
          if (delayMs !== undefined) dueAt.set(transfer, clock.elapsed() + delayMs)
        }
      },
      async finish(over) {
        for (const { transfer, record } of over) {
          dueAt.delete(transfer)
          finished.push({ txId: transfer.txId, record })
        }
      }
    },
    status: {
      poll(kind, txId) {
        looks.push(clock.elapsed())
        return find(kind, txId)
      }
    },
    now: clock.elapsed,
    finished: () => {
      wakes += 1
    },
    log,
    clock
  })
  return { looks, finished, entries, stop, wakes: () => wakes, runFor: clock.runFor }
}

test('polls a transfer every few seconds at first, then less and less frequently', async t => {
  const ages: [ageMs: number, forMs: number, fewest: number, most: number][] = [
    [0, MINUTE_MS, 12, 21],
    [10 * MINUTE_MS, 50 * MINUTE_MS, 50, 56],
    [2 * HOUR_MS, 2 * HOUR_MS, 20, 22],
    [60 * DAY_MS, 5 * HOUR_MS, 5, 6]
  ]
  for (const [ageMs, forMs, fewest, most] of ages) {
    const { looks, stop, runFor } = watch(
      1,
      async () => ({ txstatus: 'Pending' }),
      () => ageMs
    )
    await runFor(forMs)
    await stop()
    t.ok(looks.length >= fewest && looks.length <= most, `from ${ageMs} ms`, { looks: looks.length })
  }
})

test('polls again when a status is missing or unreadable', async t => {
  let find = async (): Promise<StatusRecord | undefined> => undefined
  const { finished, entries, runFor } = watch(3, () => find())
  await runFor(10_000)
  find = () => Promise.reject(new Error('no upstream'))
  await runFor(HOUR_MS)
  t.strictSame(finished, [])
  const fields = { failures: 1, err: { message: 'no upstream' } }
  t.match(entries, [{ level: 'warn', fields, message: 'transfer statuses could not be read for webhooks' }])
  find = async () => ({ txstatus: 'FailedToPay' })
  await runFor(10 * MINUTE_MS)
  t.equal(finished.length, 3)
})

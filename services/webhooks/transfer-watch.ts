import { setMaxListeners } from 'node:events'
import { pollIntervalMs } from '../async/backoff.ts'
import { startLoop } from '../async/loop.ts'
import { onceAMinute } from '../async/once-a-minute.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { isFinalStatus } from '../status/final-states.ts'
import type { StatusService } from '../status/index.ts'
import type { StatusRecord } from '../status/record.ts'
import type { Outbox } from '../submission/store/outbox.ts'
import type { WatchedTransfer } from '../submission/store/payload.ts'

/** Maximum number of transfers per claim. Their polls should end before the reservation does. */
const MAX_CLAIMED = 64

/** Time until the next claim if few transfers are due, in milliseconds. */
const IDLE_MS = 2000

/** The bounds of the interval between polls. Most transfers are final within minutes, but some take days. */
const INTERVALS = { shortestMs: 3000, longestMs: 3_600_000 }

export interface TransferWatchOptions {
  outbox: Pick<Outbox, 'claimTransfers' | 'postponeTransfers' | 'finish'>
  status: Pick<StatusService, 'poll'>
  now: () => number
  finished: () => void
  log: Logger
  clock: Clock
}

/**
 * Polls the transfers and swaps of committed submissions until each is final, then writes its event.
 * @param options.now the store's time
 * @param options.finished called when there is a new event
 * @returns a function that stops the polling
 */
export function startTransferWatch(options: TransferWatchOptions): () => Promise<void> {
  const { outbox, status, now, finished, log, clock } = options
  const failed = onceAMinute<unknown>((failures, err) =>
    log.warn({ failures, err }, 'transfer statuses could not be read for webhooks')
  )

  /** Ends the wait for polls, which a slow chain would otherwise extend. */
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)

  async function finalRecord({ kind, txId }: WatchedTransfer): Promise<StatusRecord | undefined> {
    try {
      const record = await status.poll(kind, String(txId), ending.signal)
      return isFinalStatus(record?.['txstatus']) ? record : undefined
    } catch (error) {
      if (!ending.signal.aborted) failed(error)
      return undefined
    }
  }

  async function step(): Promise<number> {
    const transfers = await outbox.claimTransfers(MAX_CLAIMED)
    if (transfers.length === 0) return IDLE_MS
    const polled = await Promise.all(
      transfers.map(async transfer => ({ transfer, record: await finalRecord(transfer) }))
    )
    const over = polled.flatMap(({ transfer, record }) =>
      record === undefined ? [] : [{ transfer, record }]
    )
    if (over.length > 0) {
      await outbox.finish(over)
      finished()
    }
    const time = now()
    const open = polled.flatMap(({ transfer: { submissionId, committedAt }, record }) =>
      record === undefined ? [{ submissionId, delayMs: pollIntervalMs(time - committedAt, INTERVALS) }] : []
    )
    if (open.length > 0) await outbox.postponeTransfers(open)
    return transfers.length < MAX_CLAIMED ? IDLE_MS : 0
  }

  const { stop } = startLoop('transfer watch', step, { clock, log })
  return () => {
    ending.abort()
    return stop()
  }
}

import { systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { StatusService } from '../status/index.ts'
import type { SubmissionStore } from '../submission/contract.ts'
import type { Outbox } from '../submission/store/outbox.ts'
import { startDelivery } from './delivery.ts'
import { createReceiver, type ReceiverSettings } from './receiver.ts'
import { MAX_PAUSE_MS } from './schedule.ts'
import { startTransferWatch } from './transfer-watch.ts'

export interface WebhookOptions {
  receiver: ReceiverSettings
  outbox: Outbox
  store: Pick<SubmissionStore, 'now' | 'onNotification'>
  status: Pick<StatusService, 'poll'>
  log: Logger
}

export interface Webhooks {
  wake(): void
  /** Stops the polling, then the deliveries, which wait up to three seconds for pending attempts. */
  stop(): Promise<void>
}

/** Delivers webhooks, and polls transfers for their final state (interface 23.1). */
export function startWebhooks({ receiver, outbox, store, status, log }: WebhookOptions): Webhooks {
  const { now } = store
  const clock = systemClock
  const { wake, stop } = startDelivery({
    outbox,
    receiver: createReceiver(receiver),
    now,
    log,
    clock,
    random: Math.random
  })
  store.onNotification(({ kind }) => {
    if (kind === 'settled') wake()
  })
  outbox
    .correctTimes(MAX_PAUSE_MS)
    .catch(err => log.warn({ err }, 'due times of webhook events could not be corrected'))
  const stopWatch = startTransferWatch({ outbox, status, now, finished: wake, log, clock })

  return {
    wake,
    async stop() {
      await stopWatch()
      await stop()
    }
  }
}

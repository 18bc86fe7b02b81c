import type { KeyObject } from 'node:crypto'
import { systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { StatusService } from '../status/index.ts'
import type { Outbox } from '../submission/store/outbox.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import { type DeliveryObserver, startDelivery } from './delivery.ts'
import { createReceiver } from './receiver.ts'
import { LONGEST_PAUSE_MS } from './schedule.ts'
import { startTransferWatch } from './transfer-watch.ts'

export interface WebhookOptions {
  /** Where events go, and the key that signs them. */
  url: string
  keys: readonly KeyObject[]
  outbox: Outbox
  store: Pick<SubmissionStore, 'now' | 'onNews'>
  status: Pick<StatusService, 'find'>
  observe: DeliveryObserver
  log: Logger
}

/**
 * Delivers webhooks, and finds out which transfers are final, until it is stopped (interface 23.1).
 * @returns a function that stops it within seconds
 */
export function startWebhooks(options: WebhookOptions): () => Promise<void> {
  const { url, keys, outbox, store, status, observe, log } = options
  const clock = systemClock
  const receiver = createReceiver({ url, keys })
  const delivery = startDelivery({
    outbox,
    receiver,
    observe,
    now: store.now,
    log,
    clock,
    random: Math.random
  })
  store.onNews(({ kind }) => {
    if (kind === 'settled') delivery.wake()
  })
  outbox
    .correctTimes(LONGEST_PAUSE_MS)
    .catch(err => log.warn({ err }, 'the times of events were not checked'))
  const stopWatch = startTransferWatch({
    outbox,
    status,
    now: store.now,
    finished: delivery.wake,
    log,
    clock
  })
  return async () => {
    await stopWatch()
    await delivery.stop()
  }
}

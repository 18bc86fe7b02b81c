import { startLoop } from '../async/loop.ts'
import { systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { StatusService } from '../status/index.ts'
import type { Outbox } from '../submission/store/outbox.ts'
import type { SubmissionStore } from '../submission/store/types.ts'
import { type DeliveryObserver, startDelivery } from './delivery.ts'
import { createReceiver } from './receiver.ts'
import { isSameReceiver, type ReceiverSettings, type Receivers } from './receivers.ts'
import { LONGEST_PAUSE_MS } from './schedule.ts'
import { startTransferWatch } from './transfer-watch.ts'

const HOUR_MS = 3_600_000

/** How long to keep events for a receiver that is no longer configured. Longer than the delivery schedule. */
const UNCONFIGURED_MS = 7 * 24 * HOUR_MS

export interface WebhookOptions {
  receivers: Receivers
  outbox: Outbox
  store: Pick<SubmissionStore, 'now' | 'onNotification'>
  status: Pick<StatusService, 'find'>
  observe: DeliveryObserver
  log: Logger
}

type Delivery = ReturnType<typeof startDelivery>

export type Webhooks = ReturnType<typeof startWebhooks>

/** Delivers webhooks to every receiver, and polls transfers for their final state (interface 23.1). */
export function startWebhooks(options: WebhookOptions) {
  const { receivers, outbox, store, status, observe, log } = options
  const clock = systemClock
  const running = new Map<string, { settings: ReceiverSettings; delivery: Delivery }>()
  const stopping = new Set<Promise<void>>()

  const wake = () => {
    for (const { delivery } of running.values()) delivery.wake()
  }

  function start(settings: ReceiverSettings): void {
    const { receiver: name, url, keys } = settings
    const receiver = createReceiver({ url, keys })
    const delivery = startDelivery({
      outbox,
      receiver,
      name,
      observe,
      now: store.now,
      log,
      clock,
      random: Math.random
    })
    running.set(name, { settings, delivery })
  }

  function stop(name: string, delivery: Delivery): void {
    running.delete(name)
    const stopped = delivery.stop().finally(() => stopping.delete(stopped))
    stopping.add(stopped)
  }

  function follow(): void {
    const present = receivers.current()
    for (const [name, { settings, delivery }] of running) {
      const next = present.find(({ receiver }) => receiver === name)
      if (next === undefined || !isSameReceiver(settings, next)) stop(name, delivery)
    }
    for (const settings of present) if (!running.has(settings.receiver)) start(settings)
  }

  follow()
  store.onNotification(({ kind }) => {
    if (kind === 'settled') wake()
  })
  outbox
    .correctTimes(LONGEST_PAUSE_MS)
    .catch(err => log.warn({ err }, 'due times of webhook events could not be corrected'))
  const cleanup = startLoop(
    'events of removed receivers',
    async () => {
      const names = receivers.current().map(({ receiver }) => receiver)
      const events = await outbox.abandonUnconfigured(names, UNCONFIGURED_MS)
      if (events > 0) log.error({ events }, 'abandoned events for receivers that are no longer configured')
      return HOUR_MS
    },
    { clock, log }
  )
  const stopWatch = startTransferWatch({ outbox, status, now: store.now, finished: wake, log, clock })

  return {
    follow,
    wake,
    /** Stops the polling, then all deliveries, which wait up to three seconds for pending attempts. */
    async stop(): Promise<void> {
      await Promise.all([stopWatch(), cleanup.stop()])
      for (const [name, { delivery }] of running) stop(name, delivery)
      await Promise.all(stopping)
    }
  }
}

import { createBreaker } from '../async/breaker.ts'
import { startLoop } from '../async/loop.ts'
import { onceAMinute } from '../async/once-a-minute.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Delivery, Outbox, OutboxEvent } from '../submission/store/outbox.ts'
import { MAX_ATTEMPTS_AT_ONCE, type Outcome, type Receiver } from './receiver.ts'
import { pauseAfter } from './schedule.ts'

/** Time until the next poll of the outbox if no event was due. Notifications within this process end the wait early. */
const IDLE_MS = 5000

/** The pauses while the receiver is down. */
const PAUSES = { firstMs: 5_000, longestMs: 60_000 }

/** Attempts that end within this time of each other are recorded together. */
const BUSY_MS = 20

const STOP_MS = 3000

export interface DeliveryOptions {
  outbox: Pick<Outbox, 'claim' | 'record'>
  receiver: Receiver
  now: () => number
  log: Logger
  clock: Clock
  random: () => number
}

/**
 * Delivers the events, each until it is delivered or its schedule ends (interface 23.5, 23.6). The outbox returns one
 * event per submission at a time, which keeps them in order (interface 23.8).
 */
export function startDelivery(options: DeliveryOptions) {
  const { outbox, receiver, now, log, clock, random } = options
  const underWay = new Set<Promise<void>>()
  /** The outcomes that are not recorded yet. */
  const ended: Delivery[] = []
  /** Cancel the polls at which postponed events are due, so that no retry waits for the next poll of an idle outbox. */
  const retries = new Set<() => void>()
  let nextClaimAt = 0
  let lastFailure = {}

  const failed = onceAMinute(failures =>
    log.warn({ failures, ...lastFailure }, 'webhooks could not be delivered')
  )
  // A receiver that is down gets only an occasional trial, regardless of the number of waiting events.
  const breaker = createBreaker<void>({
    pauses: PAUSES,
    clock,
    paused: () => log.warn(lastFailure, 'webhooks paused after repeated failures; retrying occasionally'),
    resumed: () => log.info({}, 'webhook delivery resumed')
  })

  async function attempt(event: OutboxEvent): Promise<void> {
    const isTrial = breaker.isPaused()
    const outcome = await receiver.send(event)
    ended.push(resultOf(event, outcome, isTrial))
  }

  function resultOf(event: OutboxEvent, outcome: Outcome | undefined, isTrial: boolean): Delivery {
    const { eventId, submissionId, type, attempts, redeliveries, createdAt } = event
    const claim = { submissionId, type, attempts, redeliveries }
    if (!outcome) {
      // Any replica may retry immediately.
      return { ...claim, outcome: 'postponed', delayMs: 0, problem: 'the server stopped during the attempt' }
    }
    if (outcome.isDelivered) {
      breaker.succeeded()
      log.info({ eventId, submissionId, type, attempts }, 'webhook delivered')
      return { ...claim, outcome: 'delivered', response: outcome.detail }
    }
    const { detail: problem, retryAfterMs } = outcome
    lastFailure = { eventId, submissionId, type, attempts, problem }
    failed()
    breaker.failed(undefined, isTrial)
    const delayMs = pauseAfter(attempts, now() - createdAt, retryAfterMs, random())
    if (delayMs !== undefined) return { ...claim, outcome: 'postponed', delayMs, problem }
    log.error(lastFailure, 'webhook abandoned: all attempts over several days failed')
    return { ...claim, outcome: 'abandoned', problem }
  }

  async function record(): Promise<void> {
    const deliveries = [...ended]
    if (deliveries.length === 0) return
    await outbox.record(deliveries)
    ended.splice(0, deliveries.length)
    nextClaimAt = 0
    for (const delivery of deliveries) if (delivery.outcome === 'postponed') wakeAfter(delivery.delayMs)
  }

  function wakeAfter(delayMs: number): void {
    // Later than the due time, because timers can be a little early.
    const cancel = clock.after(delayMs + BUSY_MS, () => {
      retries.delete(cancel)
      wake()
    })
    retries.add(cancel)
  }

  async function claim(): Promise<void> {
    const free = (breaker.isPaused() ? 1 : MAX_ATTEMPTS_AT_ONCE) - underWay.size
    if (free <= 0 || breaker.cooldownMs() > 0 || clock.elapsed() < nextClaimAt) return
    const events = await outbox.claim(free)
    nextClaimAt = events.length === free ? 0 : clock.elapsed() + IDLE_MS
    for (const event of events) {
      const work = attempt(event).finally(() => underWay.delete(work))
      underWay.add(work)
    }
  }

  async function step(): Promise<number> {
    await record()
    await claim()
    if (underWay.size > 0 || ended.length > 0) return BUSY_MS
    return breaker.cooldownMs() || IDLE_MS
  }

  const loop = startLoop('webhook delivery', step, { clock, log })

  function wake(): void {
    nextClaimAt = 0
    loop.wake()
  }

  return {
    /** Call when an event might be due. */
    wake,
    async stop(): Promise<void> {
      await loop.stop()
      const cancel = clock.after(STOP_MS, () => void receiver.close())
      await Promise.all(underWay)
      cancel()
      await receiver.close()
      await record().catch(err =>
        log.warn({ err }, 'deliveries could not be recorded; their webhooks will be resent')
      )
      for (const cancel of retries) cancel()
    }
  }
}

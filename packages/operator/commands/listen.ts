import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { startLoop } from '../../../services/async/loop.ts'
import { systemClock } from '../../../services/clock.ts'
import { isFinalStatus } from '../../../services/status/final-states.ts'
import type { Outbox, OutboxEvent } from '../../../services/submission/store/outbox.ts'
import {
  eventIdOf,
  type NewEvent,
  submissionSettled,
  transferFinished,
  type WatchedTransfer
} from '../../../services/submission/store/payload.ts'
import { isSettled } from '../../../services/submission/view.ts'
import { startDelivery } from '../../../services/webhooks/delivery.ts'
import { createReceiver } from '../../../services/webhooks/receiver.ts'
import { webhookKey } from '../../../services/webhooks/signature.ts'
import { httpUrl, matching, readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { type Context, quietLog } from '../context.ts'

const LOOK_MS = 1000

/** The newest submissions, among which to look for results. */
const MAX_LOOKED_AT = 1000

export const listen: Command = {
  arguments: '--forward URL',
  summary: 'forwards the webhooks of new results to a URL, for development',
  details: `  --forward URL  an http(s) URL, usually on your machine
Reads the results from the store, also those of servers without a receiver, and sends what a server would, with the same ids
and retries. Signs with SERVICE_WEBHOOK_SECRET or, without it, a new secret that it prints. Sends no events about the service
(see trigger). Runs until Ctrl-C.`,
  async run(argv, context) {
    const { forward } = readArguments(argv, { forward: { type: 'string' } }).values
    const { host, href: url } = httpUrl('--forward', matching('--forward', forward, /./, 'an http(s) URL'))
    const queries = await context.read()
    const status = context.status()
    const newest = { states: ['committed', 'rejected'], newestFirst: true, limit: MAX_LOOKED_AT } as const
    const results = () => queries.list(newest, () => {})
    const known = new Set((await results()).map(({ submission }) => submission.submissionId))
    const watched = new Set<Omit<WatchedTransfer, 'committedAt'>>()
    const outbox = createMemoryOutbox(context)
    const keys = context.receiver?.keys ?? newKeys(context)
    const error = (_: object, text: string) => context.print(text)
    const common = { clock: systemClock, log: { ...quietLog, error } }
    const receiver = createReceiver({ url, keys })
    const delivery = startDelivery({ ...common, outbox, receiver, now: Date.now, random: Math.random })

    async function look(): Promise<number> {
      for (const { submission, content, ...stored } of (await results()).toReversed()) {
        const { submissionId } = submission
        if (known.has(submissionId) || !isSettled(submission)) continue
        known.add(submissionId)
        outbox.add(submissionSettled(submission, stored))
        if (submission.status !== 'committed' || submission.txId === undefined) continue
        const kind = content.kind === 'swap' ? 'swap' : 'transfer'
        watched.add({ submissionId, txId: submission.txId, kind, request: content.request })
      }
      for (const transfer of watched) {
        const record = await status.poll(transfer.kind, String(transfer.txId)).catch(() => undefined)
        if (!record || !isFinalStatus(record['txstatus'])) continue
        watched.delete(transfer)
        outbox.add(transferFinished(transfer, record, Date.now()))
      }
      delivery.wake()
      return LOOK_MS
    }

    context.report({ forwardingTo: host }, `Forwarding to ${host}`)
    const looking = startLoop('listen', look, common)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await looking.stop()
    await delivery.stop()
    return 0
  }
}

function newKeys({ report }: Context) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  report({ secret }, `Signing with ${secret}`)
  return [webhookKey(secret)].filter(key => key !== undefined)
}

/** Keeps the events that are not delivered yet, and prints each attempt. */
function createMemoryOutbox({ report }: Context): Pick<Outbox, 'claim' | 'record'> & {
  add(event: NewEvent): void
} {
  const pending: (OutboxEvent & { dueAt: number })[] = []
  return {
    add(event) {
      const unsent = { createdAt: Date.now(), attempts: 0, redeliveries: 0, dueAt: 0 }
      pending.push({ ...event, eventId: eventIdOf(event), ...unsent })
    },
    async claim(limit) {
      const firsts = new Map(pending.toReversed().map(event => [event.submissionId, event]))
      const due = [...firsts.values()].filter(({ dueAt }) => dueAt <= Date.now()).slice(0, limit)
      for (const event of due) Object.assign(event, { attempts: event.attempts + 1, dueAt: Infinity })
      return due
    },
    async record(deliveries) {
      for (const delivery of deliveries) {
        const { submissionId, type, outcome } = delivery
        const at = pending.findIndex(event => event.submissionId === submissionId && event.type === type)
        const delayMs = outcome === 'postponed' ? delivery.delayMs : undefined
        if (delayMs === undefined) pending.splice(at, 1)
        else Object.assign(pending[at] ?? {}, { dueAt: Date.now() + delayMs })
        const response = outcome === 'delivered' ? delivery.response : delivery.problem
        const next = delayMs === undefined ? '' : `, again in ${Math.ceil(delayMs / 1000)} s`
        report(delivery, `${type} ${submissionId} ${outcome}: ${response}${next}`)
      }
    }
  }
}

import { randomUUID } from 'node:crypto'
import { brandNames } from '../../../schemas/brand.ts'
import { webhookDocument } from '../../../schemas/document.ts'
import { COMPLETED, FINAL_STATUSES } from '../../../services/status/final-states.ts'
import { EVENT_TYPES } from '../../../services/submission/store/payload.ts'
import { oneOf, readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { sendOnce } from './send-test-event.ts'

export const trigger: Command = {
  arguments: 'TYPE [--status STATUS]',
  summary: 'sends a signed sample event to the receiver',
  details: `  TYPE             ${EVENT_TYPES.slice(0, 3).join(', ')},
                   ${EVENT_TYPES.slice(3).join(', ')}
  --status STATUS  the txstatus of transfer.finished: ${FINAL_STATUSES.slice(0, 4).join(', ')},
                   ${FINAL_STATUSES.slice(4).join(', ')} (default: ${COMPLETED})
Sends one event that belongs to no payment, with a new webhook-id and submissionId, and prints the response. Exits with code 1 if the
receiver does not accept the event.`,
  run(argv, context) {
    const { argument, values } = readArguments(argv, { status: { type: 'string' } }, 'TYPE')
    const type = oneOf('TYPE', argument, EVENT_TYPES)
    if (values.status !== undefined && type !== 'transfer.finished')
      throw new UsageError('--status: only transfer.finished has one')
    const txstatus = oneOf('--status', values.status ?? COMPLETED, FINAL_STATUSES)
    const submissionId = randomUUID()
    const { webhooks } = webhookDocument(brandNames(context.config.SERVICE_BRAND))
    const example = webhooks[type]?.['post']?.requestBody?.content?.['application/json']?.example
    const { data } = JSON.parse(
      JSON.stringify(example, (name, value) =>
        name === 'submissionId' ? submissionId : name === 'txstatus' ? txstatus : value
      )
    )
    return sendOnce(context, { type, data })
  }
}

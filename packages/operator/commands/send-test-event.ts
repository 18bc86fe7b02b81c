import { randomUUID } from 'node:crypto'
import { createReceiver } from '../../../services/webhooks/receiver.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

export const sendTestEvent: Command = {
  arguments: '',
  summary: 'sends a signed webhook.test event to the receiver',
  details:
    'Sends the event once and prints the response. Exits with code 1 if the receiver does not accept the event.',
  async run(argv, context) {
    readArguments(argv, {})
    if (context.receiver === undefined) throw new OperatorError('no webhook receiver is configured')
    const timestamp = new Date().toISOString()
    const receiver = createReceiver(context.receiver)
    const outcome = await receiver.send({
      eventId: `msg_test_${randomUUID()}`,
      payload: JSON.stringify({ type: 'webhook.test', timestamp, data: {} })
    })
    await receiver.close()
    const isDelivered = outcome?.isDelivered === true
    context.print(`${isDelivered ? 'delivered' : 'not delivered'}, ${outcome?.detail}`)
    return isDelivered ? 0 : 1
  }
}

import { randomUUID } from 'node:crypto'
import { createReceiver } from '../../../services/webhooks/receiver.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import { OperatorError } from '../errors.ts'

export const sendTestEvent: Command = {
  arguments: '[--receiver NAME]',
  summary: 'sends a signed webhook.test event to the receivers',
  details: `  --receiver NAME  only to this receiver
Sends the event once to each receiver, regardless of its subscriptions, and prints the responses. Exits with code 1 if a
receiver does not accept the event.`,
  async run(argv, context) {
    const { receiver: name } = readArguments(argv, { receiver: { type: 'string' } }).values
    const receivers = context.receivers().filter(({ receiver }) => name === undefined || receiver === name)
    if (receivers.length === 0) throw new OperatorError(`there is no webhook receiver ${name}`)
    const timestamp = new Date().toISOString()
    const event = {
      eventId: `msg_test_${randomUUID()}`,
      payload: JSON.stringify({ type: 'webhook.test', timestamp, data: {} })
    }
    let failures = 0
    for (const { receiver, url, keys } of receivers) {
      const connection = createReceiver({ url, keys })
      const outcome = await connection.send(event)
      await connection.close()
      const isDelivered = outcome?.result === 'delivered'
      if (!isDelivered) failures += 1
      context.print(`${receiver}: ${isDelivered ? 'delivered' : 'not delivered'}, ${outcome?.detail}`)
    }
    return failures === 0 ? 0 : 1
  }
}

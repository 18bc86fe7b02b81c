import { sendTest } from '../../../services/webhooks/test-event.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { OperatorError } from '../errors.ts'

export const sendTestEvent: Command = {
  arguments: '',
  summary: 'sends a signed webhook.test event to the receiver',
  details:
    'Sends the event once and prints the response. Exits with code 1 if the receiver does not accept the event.',
  run(argv, context) {
    readArguments(argv, {})
    return sendOnce(context)
  }
}

/** @returns the exit code */
export async function sendOnce(context: Context, event?: { type: string; data: object }): Promise<number> {
  if (context.receiver === undefined) throw new OperatorError('no webhook receiver is configured')
  const { isDelivered, detail } = await sendTest(context.receiver, event)
  context.report({ isDelivered, detail }, `${isDelivered ? 'delivered' : 'not delivered'}, ${detail}`)
  return isDelivered ? 0 : 1
}

import type { BlockTransaction } from '../../chain-client/index.ts'
import type { SubmissionEvent } from '../types.ts'

interface MessageLog {
  msg_index?: number
  events?: SubmissionEvent[]
}

function messageLogs(log: string): MessageLog[] {
  try {
    const parsed: unknown = JSON.parse(log)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

/**
 * Tells the messages' events of a successful transaction apart: SDK 0.47 groups them in the JSON log, 0.50 marks
 * each with a `msg_index` attribute, which is dropped here because a client knows nothing of the other messages.
 * @returns for each message its own events
 */
export function eventsByMessage(
  { log, events }: BlockTransaction,
  messageCount: number
): SubmissionEvent[][] {
  const byMessage: SubmissionEvent[][] = Array.from({ length: messageCount }, () => [])
  const logs = messageLogs(log)
  if (logs.length > 0) {
    for (const [position, entry] of logs.entries()) {
      byMessage[entry.msg_index ?? position]?.push(...(entry.events ?? []))
    }
    return byMessage
  }
  for (const { type, attributes } of events) {
    const index = attributes.find(({ key }) => key === 'msg_index')?.value
    if (index === undefined) continue
    byMessage[Number(index)]?.push({ type, attributes: attributes.filter(({ key }) => key !== 'msg_index') })
  }
  return byMessage
}

/** @returns the value of an attribute of the first event of that type */
export function attributeOf(
  events: readonly SubmissionEvent[],
  type: string,
  key: string
): string | undefined {
  const event = events.find(candidate => candidate.type === type)
  return event?.attributes.find(attribute => attribute.key === key)?.value
}

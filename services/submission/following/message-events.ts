import { Type } from '@sinclair/typebox'
import { type BlockTransaction, safeInteger } from '../../chain-client/index.ts'
import { parseJson } from '../../json.ts'
import { checkFor } from '../../schema-check.ts'
import type { SubmissionEvent } from '../types.ts'

/** Go omits an empty list or writes null. */
const optional = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** The log of a successful transaction in SDK 0.47. */
const MessageLogs = checkFor(
  Type.Array(
    Type.Object({
      msg_index: Type.Optional(Type.Integer({ minimum: 0 })),
      events: optional(
        Type.Array(
          Type.Object({
            type: Type.String(),
            attributes: optional(
              Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) }))
            )
          })
        )
      )
    })
  )
)

/**
 * Splits the events of a successful transaction by message: SDK 0.47 groups them in the JSON log, 0.50 marks
 * each with a `msg_index` attribute, which is dropped here because clients know nothing of the other messages.
 * @returns the events of each message; none for a message whose events cannot be read
 */
export function eventsByMessage(
  { log, events }: BlockTransaction,
  messageCount: number
): SubmissionEvent[][] {
  const byMessage: SubmissionEvent[][] = Array.from({ length: messageCount }, () => [])
  const logs = parseJson(log)
  if (MessageLogs.Check(logs) && logs.length > 0) {
    for (const [position, entry] of logs.entries()) {
      for (const { type, attributes } of entry.events ?? []) {
        const read = (attributes ?? []).map(({ key, value = '' }) => ({ key, value }))
        byMessage[entry.msg_index ?? position]?.push({ type, attributes: read })
      }
    }
    return byMessage
  }
  for (const { type, attributes } of events) {
    const index = safeInteger(attributes.find(({ key }) => key === 'msg_index')?.value)
    if (index === undefined) continue
    byMessage[index]?.push({ type, attributes: attributes.filter(({ key }) => key !== 'msg_index') })
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

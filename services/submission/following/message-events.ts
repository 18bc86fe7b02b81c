import { Type } from '@sinclair/typebox'
import { type BlockTransaction, safeInteger } from '../../chain-client/index.ts'
import { parseJson } from '../../json.ts'
import { checkFor } from '../../schema-check.ts'
import type { SubmissionEvent } from '../types.ts'

/** Go omits an empty list or writes null, and omits an empty text. */
const optional = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Text = Type.Optional(Type.String())

/** The log of a successful transaction in SDK 0.47. */
const MessageLogs = checkFor(
  Type.Array(
    Type.Object({
      msg_index: Type.Optional(Type.Integer({ minimum: 0 })),
      events: optional(
        Type.Array(
          Type.Object({
            type: Text,
            attributes: optional(Type.Array(Type.Object({ key: Text, value: Text })))
          })
        )
      )
    })
  )
)

type EventsByMessage = (SubmissionEvent[] | undefined)[]

/** @returns undefined unless the log has one entry for each message: one that lacks any was not written by this transaction */
function eventsInLog(log: string, messageCount: number): EventsByMessage | undefined {
  const logs = parseJson(log)
  if (!MessageLogs.Check(logs) || logs.length !== messageCount) return undefined
  const byMessage = new Map<number, SubmissionEvent[]>()
  for (const [position, { msg_index = position, events }] of logs.entries()) {
    const read = (events ?? []).map(({ type = '', attributes }) => ({
      type,
      attributes: (attributes ?? []).map(({ key = '', value = '' }) => ({ key, value }))
    }))
    byMessage.set(msg_index, read)
  }
  const ordered = Array.from({ length: messageCount }, (_, index) => byMessage.get(index))
  return ordered.includes(undefined) ? undefined : ordered
}

function markedEvents(events: BlockTransaction['events'], messageCount: number): EventsByMessage {
  const byMessage = Array.from({ length: messageCount }, (): SubmissionEvent[] => [])
  for (const { type, attributes } of events) {
    // The SDK appends its attribute; a module's own may have the same name.
    const last = attributes.at(-1)
    const index = last?.key === 'msg_index' ? safeInteger(last.value) : undefined
    if (index !== undefined) byMessage[index]?.push({ type, attributes: attributes.slice(0, -1) })
  }
  return byMessage.map(own => (own.length > 0 ? own : undefined))
}

/**
 * Splits the events of a successful transaction by message: SDK 0.47 groups them in the JSON log, 0.50 marks
 * each with a `msg_index` attribute, which is dropped here because clients know nothing of the other messages.
 * @returns the events of each message; undefined for a message whose events are not known (interface 7.14)
 */
export function eventsByMessage({ log, events }: BlockTransaction, messageCount: number): EventsByMessage {
  return eventsInLog(log, messageCount) ?? markedEvents(events, messageCount)
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

import { type Static, type TSchema, Type } from '@sinclair/typebox'

export const EventHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      description: 'The `id` of the newest event that the client has; one that names no state counts as none'
    })
  )
})
export type EventHeaders = Static<typeof EventHeaders>

/** The successful answers of a route of events; `state` is what the `data` of each event holds. */
export const eventResponses = (state: TSchema) => ({
  200: {
    description: 'Events `state`. The `data` of each is this JSON; its `id` is for `Last-Event-ID`.',
    content: { 'text/event-stream': { schema: state } }
  },
  204: Type.Null({ description: 'The client has the final state already' })
})

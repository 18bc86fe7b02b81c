import { type Static, type TSchema, Type } from '@sinclair/typebox'

export const EventHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ description: 'The `id` of the newest event that the client has; an unknown id is ignored' })
  )
})
export type EventHeaders = Static<typeof EventHeaders>

/** Returns the success responses of an event stream route, whose events contain values of the given schema. */
export const eventResponses = ({ title }: TSchema) => ({
  200: {
    description: 'Server-sent events',
    content: {
      'text/event-stream': {
        schema: Type.String({
          description:
            `Events of type \`state\`. The \`data\` of each is a \`${title}\` as JSON in one line; its \`id\` is for ` +
            '`Last-Event-ID`.',
          examples: ['retry: 3000\n\nevent: state\nid: 5f2b8c1d\ndata: {}\n\n']
        })
      }
    }
  },
  204: Type.Null({ description: 'The client already has the final state' })
})

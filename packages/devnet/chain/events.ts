/** An ABCI event as in CometBFT 0.37, where attribute keys and values are plain strings. */
export interface ChainEvent {
  type: string
  attributes: { key: string; value: string; index: boolean }[]
}

export type Emit = (type: string, attributes: Record<string, string>) => void

export function createEvent(type: string, attributes: Record<string, string>): ChainEvent {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true }))
  }
}

export function createEventList(): { events: ChainEvent[]; emit: Emit } {
  const events: ChainEvent[] = []
  return { events, emit: (type, attributes) => events.push(createEvent(type, attributes)) }
}

/** Creates the log of a successful transaction in SDK 0.47, without the events of the ante handler. */
export function createLog(eventsByMessage: readonly ChainEvent[][]): string {
  const logs = eventsByMessage.map((events, index) => ({
    msg_index: index,
    events: events.map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(({ key, value }) => ({ key, value }))
    }))
  }))
  return JSON.stringify(logs)
}

/** Adds the attribute `msg_index`, as SDK 0.50 does. */
export function withMessageIndex(events: readonly ChainEvent[], index: number): ChainEvent[] {
  const mark = { key: 'msg_index', value: index.toString(), index: true }
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, mark] }))
}

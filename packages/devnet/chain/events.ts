/** An ABCI event as CometBFT 0.37 has it: attribute keys and values are plain strings. */
export interface ChainEvent {
  type: string
  attributes: { key: string; value: string; index: boolean }[]
}

/** Emits an event; attributes keep their order. */
export type Emit = (type: string, attributes: Record<string, string>) => void

export function createEvent(type: string, attributes: Record<string, string>): ChainEvent {
  return {
    type,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true }))
  }
}

/** A list of events and the function that appends to it. */
export function createEventList(): { events: ChainEvent[]; emit: Emit } {
  const events: ChainEvent[] = []
  return { events, emit: (type, attributes) => events.push(createEvent(type, attributes)) }
}

/** The `log` of a successful transaction in SDK 0.47: the events of each message, without those of the ante handler. */
export function createLog(eventsByMessage: readonly ChainEvent[][]): string {
  const logs = eventsByMessage.map((events, index) => ({
    msg_index: index,
    events: events.map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(({ key, value }) => ({ key, value }))
    }))
  }))
  // Go's encoder escapes these characters, and clients may compare logs byte by byte.
  return JSON.stringify(logs).replace(/[&<>]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
}

/** The events with SDK 0.50's attribute `msg_index`, the index of the message they belong to. */
export function withMessageIndex(events: readonly ChainEvent[], index: number): ChainEvent[] {
  const mark = { key: 'msg_index', value: index.toString(), index: true }
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, mark] }))
}

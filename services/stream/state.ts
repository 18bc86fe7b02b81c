import { createHash } from 'node:crypto'

/** A state as a stream of events sends it (interface 22.2). */
export interface State {
  /** Names the content, for `Last-Event-ID`. */
  id: string
  /** The event as text. */
  message: string
  isFinal: boolean
}

/** Enough to tell the states of one id apart. */
const ID_LENGTH = 16

/** @param body JSON, which has no line breaks */
export function stateOf(body: string, isFinal: boolean): State {
  const id = createHash('sha256').update(body).digest('base64url').slice(0, ID_LENGTH)
  return { id, message: `event: state\nid: ${id}\ndata: ${body}\n\n`, isFinal }
}

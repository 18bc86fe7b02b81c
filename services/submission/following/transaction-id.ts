import { safeInteger } from '../../chain-client/index.ts'
import { msgRequestResponse } from '../../messages/index.ts'
import type { SubmissionEvent } from '../types.ts'

/** The events in which the chain names the id of a request (interface 8.7). */
const REQUESTED_EVENTS = ['transaction_requested', 'swap_transaction_requested']

/** The id in a message's response. Ids start at 1; 0 is the proto3 default of a missing field. */
export function idInResponse(response: Uint8Array | undefined): number | undefined {
  if (response === undefined) return undefined
  try {
    return safeInteger(msgRequestResponse.decode(response).txId) || undefined
  } catch {
    return undefined
  }
}

function idsInEvents(events: readonly SubmissionEvent[]): (number | undefined)[] {
  return events
    .filter(({ type }) => REQUESTED_EVENTS.includes(type))
    .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'txId'))
    .map(({ value }) => safeInteger(value) || undefined)
}

/** The events of a transaction in which the chain names an id: those of one message, whatever else is in the transaction. */
export function eventsNaming(id: number | undefined, events: readonly SubmissionEvent[]): SubmissionEvent[] {
  return id === undefined ? [] : events.filter(event => idsInEvents([event]).includes(id))
}

/**
 * Every transaction id that the chain reports for one message, in its response or in its own events.
 * @returns one id as a rule; none when nothing readable is there, several when the reports contradict each other
 */
export function reportedTxIds(
  response: Uint8Array | undefined,
  events: readonly SubmissionEvent[]
): number[] {
  const reported = [idInResponse(response), ...idsInEvents(events)]
  return [...new Set(reported.filter(id => id !== undefined))]
}

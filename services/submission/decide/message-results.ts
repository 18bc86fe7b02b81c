import { type Static, Type } from '@sinclair/typebox'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { type BlockTransaction, safeInteger } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import { parseJson } from '../../json.ts'
import { msgRequestResponse } from '../../messages/index.ts'
import { checkFor } from '../../schema-check.ts'
import type { Execution, Refusal, SubmissionEvent } from '../contract.ts'

/** The results of a block are invalid. The block is not applied, but read again. */
class BlockResultError extends Error {
  override name = 'BlockResultError'
}

/**
 * Creates the schema of a value that may be missing: Go omits empty strings, and writes empty lists as null or omits
 * them.
 */
const optional = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Text = Type.Optional(Type.String())

const LoggedEvent = Type.Object({
  type: Text,
  attributes: optional(Type.Array(Type.Object({ key: Text, value: Text })))
})

/** The log of a successful transaction in SDK 0.47. */
const MessageLogs = checkFor(
  Type.Array(
    Type.Object({
      msg_index: Type.Optional(Type.Integer({ minimum: 0 })),
      events: optional(Type.Array(LoggedEvent))
    })
  )
)

/** Undefined for a message whose events are unknown (interface 7.14). */
type EventsByMessage = (SubmissionEvent[] | undefined)[]

const readEvent = ({ type = '', attributes }: Static<typeof LoggedEvent>): SubmissionEvent => ({
  type,
  attributes: (attributes ?? []).map(({ key = '', value = '' }) => ({ key, value }))
})

/** Returns undefined unless the log has one entry per message: any other log does not belong to this transaction. */
function eventsInLog(log: string, messageCount: number): EventsByMessage | undefined {
  const logs = parseJson(log)
  if (!MessageLogs.Check(logs) || logs.length !== messageCount) return undefined
  const byMessage = new Map(
    logs.map(({ msg_index, events }, position) => [msg_index ?? position, (events ?? []).map(readEvent)])
  )
  const ordered = Array.from(logs, (_, index) => byMessage.get(index))
  return ordered.includes(undefined) ? undefined : ordered
}

/** Assigns events to messages by the `msg_index` attribute, which SDK 0.50 adds, and removes it for clients. */
function markedEvents(events: BlockTransaction['events'], messageCount: number): EventsByMessage {
  const byMessage = Array.from({ length: messageCount }, (): SubmissionEvent[] => [])
  for (const { type, attributes } of events) {
    // The SDK appends its attribute last; a module's own attribute may have the same name.
    const last = attributes.at(-1)
    const index = last?.key === 'msg_index' ? safeInteger(last.value) : undefined
    if (index !== undefined) byMessage[index]?.push({ type, attributes: attributes.slice(0, -1) })
  }
  return byMessage.map(own => (own.length > 0 ? own : undefined))
}

const REQUESTED_EVENTS = ['transaction_requested', 'swap_transaction_requested']

interface ReadResponse {
  txId: number | undefined
  code: string
  msg: string
}

const SUCCESS_CODE = /^(?:0|2\d\d)$/

/** Returns what a response proves: with an id, its request was executed; with an error code, it was refused. */
function statusIn({ txId, code }: ReadResponse): Execution['status'] | undefined {
  if (txId !== undefined) return 'committed'
  return code === '' || SUCCESS_CODE.test(code) ? undefined : 'rejected'
}

/** Ids start at 1; 0 is the proto3 default for a missing field. */
function readResponse(response: Uint8Array | undefined): ReadResponse | undefined {
  if (response === undefined) return undefined
  try {
    const { code, msg, txId } = msgRequestResponse.decode(response)
    return { txId: safeInteger(txId) || undefined, code, msg }
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

/** Returns the events that contain an id: they all belong to the message with that id. */
function eventsNaming(id: number | undefined, events: readonly SubmissionEvent[]): SubmissionEvent[] {
  return id === undefined ? [] : events.filter(event => idsInEvents([event]).includes(id))
}

/** The SDK's code for errors that have no code of their own. */
const INTERNAL_ERROR_CODE = 1

/** Reads the refusal from an `error` event (interface 8.8), or without one from the response. */
function refusalIn(events: SubmissionEvent[], response: ReadResponse | undefined): Refusal {
  const attributes = events.find(({ type }) => type === 'error')?.attributes
  const attribute = (name: string) => attributes?.find(({ key }) => key === name)?.value
  return {
    code: safeInteger(attribute('code') ?? response?.code) || INTERNAL_ERROR_CODE,
    codespace: 'transaction',
    message: shorten(attribute('content') ?? (response?.msg || 'the chain gave no reason'))
  }
}

function ownGas({ hash, gasUsed, gasWanted }: BlockTransaction) {
  const [used, wanted] = [safeInteger(gasUsed), safeInteger(gasWanted)]
  if (used === undefined || wanted === undefined) {
    throw new BlockResultError(`transaction ${hash}: gasUsed or gasWanted is missing or not a safe integer`)
  }
  return { gasUsed: used, gasWanted: wanted }
}

/**
 * Returns the outcome of one message of a successful transaction (interface 7.14). The results hash covers its response,
 * but no event. Where the response proves nothing, only an `error` event without any transaction id counts as a refusal,
 * because a refused submission may be resubmitted and executed. Any other message was executed. Its transaction id is
 * known if all reports agree on it.
 */
function messageOutcome(
  submissionId: string,
  response: ReadResponse | undefined,
  events: SubmissionEvent[],
  gas: { gasUsed: number; gasWanted: number }
): { execution: Execution; isContradicted: boolean } {
  const reported = [response?.txId, ...idsInEvents(events)]
  const [txId, ...otherIds] = new Set(reported.filter(id => id !== undefined))
  const hasError = events.some(({ type }) => type === 'error')
  const byEvents = hasError && txId === undefined ? 'rejected' : 'committed'
  const status = (response && statusIn(response)) ?? byEvents
  const isCodeOfRefusal = response !== undefined && !SUCCESS_CODE.test(response.code || '0')
  const isContradicted = otherIds.length > 0 || hasError !== isCodeOfRefusal || status !== byEvents
  if (status === 'rejected')
    return { execution: { submissionId, status, error: refusalIn(events, response) }, isContradicted }
  const isIdKnown = !hasError && otherIds.length === 0
  const execution = { submissionId, txId: isIdKnown ? txId : undefined, ...gas, events }
  return { execution: { ...execution, status }, isContradicted }
}

/** Returns an empty array unless there is one response per message. */
function responsesOf({ data }: BlockTransaction, messageCount: number): Uint8Array[] {
  try {
    const { msgResponses } = TxMsgData.decode(data)
    return msgResponses.length === messageCount ? msgResponses.map(({ value }) => value) : []
  } catch {
    return []
  }
}

/**
 * Returns the outcomes of the messages of a successful transaction. If a message's events are unknown, uses the events
 * that contain the id from its response. `error` events are then ignored, because they may belong to another message.
 * @param submissionIds in the order of the messages
 * @returns also whether events contradict a message's response, which the results hash covers
 */
export function messageOutcomes(
  tx: BlockTransaction,
  submissionIds: readonly string[]
): { executions: Execution[]; isContradicted: boolean } {
  const gas = ownGas(tx)
  const responses = responsesOf(tx, submissionIds.length)
  const events = eventsInLog(tx.log, submissionIds.length) ?? markedEvents(tx.events, submissionIds.length)
  const outcomes = submissionIds.map((submissionId, index) => {
    const response = readResponse(responses[index])
    const own = events[index] ?? eventsNaming(response?.txId, tx.events)
    return messageOutcome(submissionId, response, own, gas)
  })
  return {
    executions: outcomes.map(({ execution }) => execution),
    isContradicted: outcomes.some(outcome => outcome.isContradicted)
  }
}

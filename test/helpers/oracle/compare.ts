import type { Refusal, SubmissionEvent } from '../../../services/submission/contract.ts'
import type { ChainTruth } from './index.ts'
import type { ChainMessage, Fields } from './read-messages.ts'

/** A submission's state as reported to its client, in the response to its request or in a later read. */
export type Told =
  | {
      status: 'committed'
      submissionId: string
      txId?: number
      transactionHash: string
      height: number
      /** Only in the response to the submit request, like `gasWanted` and `events`. */
      gasUsed?: number
      gasWanted?: number
      events?: SubmissionEvent[]
    }
  | { status: 'rejected'; submissionId?: string; error: Refusal; transactionHash?: string; height?: number }
  /** The submission was accepted but is not decided yet. */
  | { status: 'pending'; submissionId: string }
  /** A 503 response, with its error code. */
  | { status: 'closed'; code: string }
  /** The client does not know whether the submission was accepted. */
  | { status: 'lost' }

/** A user's request, and every result that the client received for it. */
export interface Requested {
  feeId: string
  fields: Fields
  /** Matches `CODESPACE CODE: TEXT` of a rejection by a simulation, which no block contains. */
  refusal?: RegExp | undefined
  /** Empty when the client received nothing. */
  told: readonly Told[]
}

/** Codespaces of rejections by an operator or a restored store rather than the chain (interface 7.18, 7.21). */
const OWN_CODESPACES = ['operator', 'service']

/**
 * Returns whether an error message is the chain's message, or its shortened form: both ends and the number of omitted
 * characters.
 */
function isText(told: string, chain: string): boolean {
  const [, start, left, end] = /^([\s\S]{2048}) … (\d+) characters … ([\s\S]{2048})$/.exec(told) ?? []
  if (start === undefined || end === undefined) return told === chain
  return chain.startsWith(start) && chain.endsWith(end) && chain.length === 4096 + Number(left)
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const sameRefusal = (told: Refusal, chain: Refusal) =>
  told.code === chain.code && told.codespace === chain.codespace && isText(told.message, chain.message)

const textOf = ({ codespace, code, message }: Refusal) => `${codespace} ${code}: ${message}`

const spelled = (name: string, value: string) =>
  name.endsWith('Address') && value.startsWith('0x') ? value.toLowerCase() : value

function differences(what: string, told: object, chain: object): string[] {
  const onChain = new Map<string, unknown>(Object.entries(chain))
  return Object.entries(told).flatMap(([field, value]) =>
    same(value, onChain.get(field))
      ? []
      : [`${what}: ${field} is ${JSON.stringify(value)}, on the chain ${JSON.stringify(onChain.get(field))}`]
  )
}

function contentFaults(what: string, asked: Fields, { fields = {} }: ChainMessage): string[] {
  const spell = (all: Fields) =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, spelled(name, value)]))
  return differences(`${what}: requested`, spell(asked), spell(fields))
}

function committedFaults(
  what: string,
  told: Extract<Told, { status: 'committed' }>,
  own: readonly ChainMessage[]
): string[] {
  const execution = own.find(({ outcome }) => outcome === 'executed')
  if (execution === undefined) {
    const refusal = own.find(message => message.refusal)?.refusal
    const truth = refusal ? `rejected it: ${textOf(refusal)}` : 'never executed it'
    return [`${what}: committed, but the chain ${truth}`]
  }
  const { txId, events } = execution
  const { hash: transactionHash, height, gasUsed, gasWanted } = execution.tx
  const { txId: toldId, transactionHash: toldHash, height: toldHeight, ...response } = told
  const place = { txId: toldId, transactionHash: toldHash, height: toldHeight }
  const rest = { gasUsed: response.gasUsed, gasWanted: response.gasWanted, events: response.events }
  const isWhole = Object.values(rest).some(value => value !== undefined)
  const onChain = { txId: txId || undefined, transactionHash, height, gasUsed, gasWanted, events }
  return differences(what, isWhole ? { ...place, ...rest } : place, onChain)
}

function rejectedFaults(
  what: string,
  told: Extract<Told, { status: 'rejected' }>,
  own: readonly ChainMessage[],
  expected: RegExp | undefined
): string[] {
  const { error, transactionHash, height } = told
  if (OWN_CODESPACES.includes(error.codespace)) return []
  if (error.codespace === 'sdk' && error.code === 32) return [`${what}: rejected for a wrong sequence`]
  const refusals = own.filter(({ refusal }) => refusal !== undefined)
  const found = refusals.filter(({ refusal }) => refusal && sameRefusal(error, refusal))
  if (transactionHash !== undefined) {
    const isThere = found.some(({ tx }) => tx.hash === transactionHash && tx.height === height)
    return isThere
      ? []
      : [`${what}: block ${height} has no such rejection in ${transactionHash}: ${textOf(error)}`]
  }
  if (found.length > 0 || expected?.test(textOf(error))) return []
  const [other] = refusals
  if (other?.refusal) return differences(what, error, other.refusal)
  return [`${what}: rejected, but the chain never rejected it: ${textOf(error)}`]
}

function requestFaults(request: Requested, own: readonly ChainMessage[], creator: string): string[] {
  const { feeId: what, fields, refusal, told } = request
  const faults = own.flatMap(message => contentFaults(what, { creator, ...fields }, message))
  const executions = own.filter(({ outcome }) => outcome === 'executed').length
  if (executions > 1) faults.push(`${what}: executed ${executions} times`)
  const committed = new Set<string>()
  const decided = new Set<string | undefined>()
  for (const one of told) {
    if (one.status === 'committed') {
      committed.add(one.submissionId)
      faults.push(...committedFaults(what, one, own))
    }
    if (one.status === 'rejected') faults.push(...rejectedFaults(what, one, own, refusal))
    if (one.status === 'committed' || one.status === 'rejected') decided.add(one.submissionId)
  }
  for (const one of told) {
    if (one.status === 'pending' && !decided.has(one.submissionId)) {
      faults.push(`${what}: ${one.submissionId} was accepted but never decided`)
    }
  }
  if (committed.size > 1) faults.push(`${what}: committed as ${[...committed].join(' and ')}`)
  const isRefused = told.length > 0 && told.every(({ status }) => status === 'rejected')
  if (executions > 0 && isRefused) faults.push(`${what}: executed, but every response was a rejection`)
  return faults
}

function sharedIds(requests: readonly Requested[]): string[] {
  const owners = new Map<string, string>()
  return requests.flatMap(({ feeId, told }) =>
    told.flatMap(one => {
      const id = 'submissionId' in one ? one.submissionId : undefined
      if (id === undefined) return []
      const owner = owners.get(id) ?? feeId
      owners.set(id, owner)
      return owner === feeId ? [] : [`${feeId}: ${id} is already the id of ${owner}`]
    })
  )
}

/**
 * Compares every response with all blocks. Each field of a response must match the chain's result for the message of
 * that request. Each request may be executed only once, by a message that matches it. The chain must not contain any
 * other messages.
 * @returns each difference, with its request and field
 */
export function contradictions(truth: ChainTruth, requests: readonly Requested[]): string[] {
  const asked = new Set(requests.map(({ feeId }) => feeId))
  const strange = truth.messages.filter(
    ({ outcome, feeId, isToItself }) =>
      outcome !== 'undone' && !isToItself && (feeId === undefined || !asked.has(feeId))
  )
  const own = new Map<string, ChainMessage[]>()
  for (const message of truth.messages) {
    const { feeId = '' } = message
    own.set(feeId, [...(own.get(feeId) ?? []), message])
  }
  const gap = truth.sequences.find((sequence, index) => sequence !== index)
  return [
    ...requests.flatMap(request => requestFaults(request, own.get(request.feeId) ?? [], truth.address)),
    ...sharedIds(requests),
    ...strange.map(
      ({ feeId, typeUrl, tx, outcome }) =>
        `${feeId ?? typeUrl}: ${outcome} in ${tx.hash}, but never requested`
    ),
    ...(gap === undefined ? [] : [`sequence ${gap} is out of order: ${truth.sequences}`])
  ]
}

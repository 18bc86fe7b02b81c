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
  | { status: 'pending'; submissionId: string }
  /** A 503 response, with its error code. */
  | { status: 'closed'; code: string }
  /** The client does not know whether the submission was accepted. */
  | { status: 'lost' }

type OfStatus<S extends Told['status']> = Extract<Told, { status: S }>

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

const textOf = ({ codespace, code, message }: Refusal) => `${codespace} ${code}: ${message}`

function differences(what: string, told: object, chain: object, fields = Object.keys(told)): string[] {
  const shown = (values: object, field: string) => JSON.stringify(Object(values)[field])
  return fields
    .filter(field => shown(told, field) !== shown(chain, field))
    .map(field => `${what}: ${field} is ${shown(told, field)}, on the chain ${shown(chain, field)}`)
}

/** Spells EVM addresses in lower case, because the service changes their case. */
function spelled(fields: Fields): Fields {
  const isEvm = ([name, value]: [string, string]) => name.endsWith('Address') && value.startsWith('0x')
  const addresses = Object.entries(fields).filter(isEvm)
  return { ...fields, ...Object.fromEntries(addresses.map(([name, value]) => [name, value.toLowerCase()])) }
}

function committedFaults(what: string, told: OfStatus<'committed'>, own: readonly ChainMessage[]): string[] {
  const execution = own.find(({ outcome }) => outcome === 'executed')
  if (execution === undefined) {
    const refusal = own.find(message => message.refusal)?.refusal
    const truth = refusal ? `rejected it: ${textOf(refusal)}` : 'never executed it'
    return [`${what}: committed, but the chain ${truth}`]
  }
  const { txId, events, tx } = execution
  const { hash: transactionHash, height, gasUsed, gasWanted } = tx
  const place = { txId: txId || undefined, transactionHash, height }
  const whole = { ...place, gasUsed, gasWanted, events }
  const isWhole = 'gasUsed' in told || 'gasWanted' in told || 'events' in told
  return differences(what, told, whole, Object.keys(isWhole ? whole : place))
}

function rejectedFaults(request: Requested, told: OfStatus<'rejected'>, own: readonly ChainMessage[]) {
  const { feeId: what, refusal: expected } = request
  const { error, transactionHash, height } = told
  if (OWN_CODESPACES.includes(error.codespace)) return []
  if (error.codespace === 'sdk' && error.code === 32) return [`${what}: rejected for a wrong sequence`]
  const refusals = own.flatMap(({ refusal, tx }) => (refusal ? [{ refusal, tx }] : []))
  const found = refusals.filter(({ refusal }) => differences(what, error, refusal).length === 0)
  if (transactionHash !== undefined) {
    if (found.some(({ tx }) => tx.hash === transactionHash && tx.height === height)) return []
    return [`${what}: block ${height} has no such rejection in ${transactionHash}: ${textOf(error)}`]
  }
  if (found.length > 0 || expected?.test(textOf(error))) return []
  const [other] = refusals
  if (other) return differences(what, error, other.refusal)
  return [`${what}: rejected, but the chain never rejected it: ${textOf(error)}`]
}

function requestFaults(request: Requested, own: readonly ChainMessage[], creator: string): string[] {
  const { feeId: what, fields, told } = request
  const asked = spelled({ creator, ...fields })
  const faults = own.flatMap(one => differences(`${what}: requested`, asked, spelled(one.fields ?? {})))
  const executions = own.filter(({ outcome }) => outcome === 'executed').length
  if (executions > 1) faults.push(`${what}: executed ${executions} times`)
  const committed = told.filter(one => one.status === 'committed')
  const rejected = told.filter(one => one.status === 'rejected')
  faults.push(...committed.flatMap(one => committedFaults(what, one, own)))
  faults.push(...rejected.flatMap(one => rejectedFaults(request, one, own)))
  const decided = new Set([...committed, ...rejected].map(({ submissionId }) => submissionId))
  for (const one of told) {
    if (one.status === 'pending' && !decided.has(one.submissionId))
      faults.push(`${what}: ${one.submissionId} was accepted but never decided`)
  }
  const ids = new Set(committed.map(({ submissionId }) => submissionId))
  if (ids.size > 1) faults.push(`${what}: committed as ${[...ids].join(' and ')}`)
  if (executions > 0 && told.length > 0 && rejected.length === told.length)
    faults.push(`${what}: executed, but every response was a rejection`)
  return faults
}

function sharedIds(requests: readonly Requested[]): string[] {
  const owners = new Map<string, string>()
  return requests.flatMap(({ feeId, told }) =>
    told.flatMap(one => {
      if (!('submissionId' in one) || one.submissionId === undefined) return []
      const owner = owners.get(one.submissionId) ?? feeId
      owners.set(one.submissionId, owner)
      return owner === feeId ? [] : [`${feeId}: ${one.submissionId} is already the id of ${owner}`]
    })
  )
}

/**
 * Each field of a response must match the chain's result for the message of that request. Each request is executed at
 * most once, by a message that matches it, and the chain has no other messages.
 * @returns each difference, with its request and field
 */
export function contradictions(truth: ChainTruth, requests: readonly Requested[]): string[] {
  const own = new Map<string | undefined, ChainMessage[]>(requests.map(({ feeId }) => [feeId, []]))
  const strange: string[] = []
  for (const message of truth.messages) {
    const { feeId, typeUrl, tx, outcome, isToItself } = message
    if (own.has(feeId)) own.get(feeId)?.push(message)
    else if (outcome !== 'undone' && !isToItself)
      strange.push(`${feeId ?? typeUrl}: ${outcome} in ${tx.hash}, but never requested`)
  }
  const gap = truth.sequences.find((sequence, index) => sequence !== index)
  return [
    ...requests.flatMap(request => requestFaults(request, own.get(request.feeId) ?? [], truth.address)),
    ...sharedIds(requests),
    ...strange,
    ...(gap === undefined ? [] : [`sequence ${gap} is out of order: ${truth.sequences}`])
  ]
}

import { messageFields } from '../../../services/messages/readable.ts'
import type { StoredQuote } from '../../../services/quotes/contract.ts'
import type { StatusRecord } from '../../../services/status/record.ts'
import { StoreCorruptError } from '../../../services/submission/errors.ts'
import type {
  OperatorQueries,
  StoredEvent,
  StoredSubmission
} from '../../../services/submission/store/operator.ts'
import { messagesOf } from '../../../services/submission/transaction.ts'
import { isSettled } from '../../../services/submission/view.ts'
import { readArguments } from '../arguments.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { OperatorError } from '../errors.ts'
import { fields } from '../table.ts'
import { KINDS, recordOf, unknown } from './find.ts'

/** An identifier that finds more submissions is ambiguous; this many are listed. */
const MAX_LISTED = 10

export const show: Command = {
  arguments: 'X [--proof] [--json]',
  summary: 'shows everything about one payment, with its timeline',
  details: `  X        a ${KINDS}, of one payment
  --proof  also prints where the chain has the payment, which anyone can compare with \`/block?height=HEIGHT\` of a node:
           \`transaction\` is entry INDEX of \`block.data.txs\`, and the SHA-256 of its bytes is the transaction hash
  --json   prints everything, as one JSON object
Request ids of retries, and the reasons of failed transactions, are only in the log. If a row is damaged, \`problems\`
describes the damage, the intact data is shown, and the exit code is 1.`,
  async run(argv, context) {
    const { argument, values } = readArguments(argv, { proof: { type: 'boolean' } }, 'X')
    const queries = await context.read()
    const id = await idOf(queries, argument)
    const columns = await queries.columns(id)
    if (columns === undefined) throw unknown(argument)
    const { onDamage } = context

    /** Returns the result of a read. If the row is corrupt, reports it and returns undefined. */
    async function readable<T>(read: Promise<T>): Promise<T | undefined> {
      return read.catch(error => {
        if (!(error instanceof StoreCorruptError)) throw error
        onDamage(error)
        return undefined
      })
    }

    const stored = await readable(queries.find(id))
    const { sequence } = columns
    const slot =
      typeof sequence === 'number' ? await readable(slotOf(queries, sequence, id, onDamage)) : undefined
    const events = await queries.events({ submissionId: id }, onDamage)
    const { feeId } = stored?.content.request ?? {}
    const quotes = feeId === undefined ? [] : await queries.quotes(feeId)
    const problems = [...context.problems]
    const record = stored && (await recordOf(context.status(), stored))
    const timeline = stored ? timelineOf(stored, { quotes, record, events }) : []
    const proof = values.proof ? { proof: await proofOf(context, id, stored) } : {}
    const all = {
      ...(stored ? fieldsOf(stored, context.config.SERVICE_BRAND) : { columns: printable(columns) }),
      slot: slot ?? null,
      events: events.map(({ eventId, state, attempts, problem }) => ({ eventId, state, attempts, problem })),
      record: record ?? null,
      timeline,
      ...proof,
      ...(problems.length > 0 && { problems })
    }
    if (context.json) context.print(...JSON.stringify(all, null, 2).split('\n'))
    else {
      context.print(...fields(stored ? headOf(stored, record) : { submissionId: id, ...printable(columns) }))
      if (timeline.length > 0) context.print('', ...timeline.map(lineOf))
      if (proof.proof) context.print('', ...fields(proof.proof))
      if (problems.length > 0) context.print('', ...problems)
    }
    return 0
  }
}

/** @throws OperatorError if the identifier is unknown or ambiguous */
async function idOf(queries: OperatorQueries, identifier: string): Promise<string> {
  if (await queries.columns(identifier)) return identifier
  const damaged: string[] = []
  const found = await queries.search(identifier, MAX_LISTED + 1, ({ row }) => damaged.push(row))
  const ids = [...found.map(({ submission }) => submission.submissionId), ...damaged]
  const [id] = ids
  if (id === undefined) throw unknown(identifier)
  if (ids.length === 1) return id
  const more = ids.length > MAX_LISTED ? ', …' : ''
  throw new OperatorError(
    `${identifier} is ambiguous, use a submissionId: ${ids.slice(0, MAX_LISTED).join(', ')}${more}`
  )
}

interface Moment {
  /** ISO 8601; null if the time is not known. */
  at: string | null
  what: string
  [detail: string]: string | number | null | undefined
}

const timeOf = (at: number) => new Date(at).toISOString()

function timelineOf(
  { submission, history, caller }: StoredSubmission,
  {
    quotes,
    record,
    events
  }: { quotes: StoredQuote[]; record: StatusRecord | undefined; events: StoredEvent[] }
): Moment[] {
  const quoted = quotes.map(({ feeId, expiresAt, fee }) => {
    const price = `${fee.value} (${fee.decimals} decimals)`
    return { at: null, what: 'quote', feeId, fee: price, expires: timeOf(expiresAt) }
  })
  const accepted = { at: submission.createdAt, what: 'accepted', caller }
  const happened = history.map(({ at, ...entry }) => ({
    ...(entry.what === 'accepted' && accepted),
    ...entry,
    at: timeOf(at)
  }))
  const settled: Moment[] = []
  if (isSettled(submission)) {
    const { updatedAt: at, status: what, height, transactionHash: hash } = submission
    const result =
      submission.status === 'committed'
        ? { txId: submission.txId }
        : {
            code: submission.error.code,
            codespace: submission.error.codespace,
            reason: submission.error.message
          }
    settled.push({ at, what, height, hash, ...result })
  }
  const attempts = events.flatMap(({ eventId, history }) =>
    history.map(({ at, attempt, outcome, response }) => {
      return { at: timeOf(at), what: 'webhook', eventId, attempt, outcome, response }
    })
  )
  const due = events
    .filter(({ state }) => state === 'pending')
    .map(({ dueAt, eventId }) => ({ at: timeOf(dueAt), what: 'webhook due', eventId }))
  const finished = events.filter(({ type }) => type === 'transfer.finished')
  const seen = finished.map(({ createdAt }) => ({
    at: timeOf(createdAt),
    what: 'transfer final',
    status: record?.['txstatus']
  }))
  const timed = [...happened, ...settled, ...attempts, ...due, ...seen].sort(
    (a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? '')
  )
  return [...quoted, ...timed, ...(record ? [{ at: null, what: 'record', ...withoutBlanks(record) }] : [])]
}

/** A new record has empty fields. */
const withoutBlanks = (record: StatusRecord) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== 0))

function lineOf({ at, what, ...details }: Moment): string {
  const shown = Object.entries(details).filter(([, value]) => value !== undefined)
  return `${(at ?? '').padEnd(24)}  ${what.padEnd(14)}  ${shown.map(([name, value]) => `${name} ${value}`).join(', ')}`
}

function headOf({ submission, caller, content }: StoredSubmission, record: StatusRecord | undefined) {
  const { submissionId, status } = submission
  const { feeId, transactionIdSeed: seed, ...request } = content.request
  return {
    submissionId,
    status,
    ...('txId' in submission && { txId: submission.txId }),
    ...(record && { transfer: record['txstatus'] }),
    caller,
    kind: content.kind,
    origin: `${request.originChain} ${request.originSymbol} ${request.originAddress}`.trim(),
    target: `${request.targetChain} ${request.targetSymbol} ${request.targetAddress}`,
    amount: request.amountIn ? `${request.amountIn} > ${request.amountOut}` : request.amount,
    fee: request.fee,
    feeId,
    ...(seed !== undefined && { seed })
  }
}

/** Returns the place of a submission's message in the blocks. @throws OperatorError if no block has it */
async function proofOf(context: Context, submissionId: string, stored: StoredSubmission | undefined) {
  const { submission, typeUrl, message } = stored ?? {}
  const height = submission && 'height' in submission ? submission.height : undefined
  if (!submission || !message || height === undefined)
    throw new OperatorError(`no block contains ${submissionId}: it is ${submission?.status ?? 'damaged'}`)
  const { transactionHash = '' } = 'transactionHash' in submission ? submission : {}
  const block = await context.chain().block(height)
  const index = block?.transactions.findIndex(({ hash }) => hash === transactionHash) ?? -1
  const bytes = block?.transactions[index]?.bytes
  if (!block || !bytes)
    throw new OperatorError(`block ${height} of the nodes does not contain ${transactionHash}`)
  const messageIndex = messagesOf({ bytes }).findIndex(
    one => one.typeUrl === typeUrl && Buffer.compare(one.value, message) === 0
  )
  if (messageIndex < 0) throw new OperatorError(`transaction ${transactionHash} does not contain the message`)
  const { chainId, hash: blockHash } = block
  const transaction = Buffer.from(bytes).toString('base64')
  return { chainId, height, blockHash, index, transactionHash, messageIndex, transaction }
}

function fieldsOf({ submission, caller, identities, typeUrl, message }: StoredSubmission, brand: string) {
  return {
    ...submission,
    caller,
    identities,
    message: { typeUrl, ...messageFields(brand, typeUrl, message) }
  }
}

/** Formats the columns of a corrupt row, bytes in hex. */
const printable = (columns: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      const isBytes = value instanceof Uint8Array || value instanceof ArrayBuffer
      return [name, isBytes ? Buffer.from(new Uint8Array(value)).toString('hex') : value]
    })
  )

/** Reads the slot of a submission and the slot's signed transactions. */
async function slotOf(
  queries: OperatorQueries,
  sequence: number,
  submissionId: string,
  onDamage: (damage: Error) => void
) {
  const resolution = await queries.resolution(sequence)
  if (resolution !== undefined) return { sequence, state: 'resolved' as const, ...resolution }
  const signedTxs = (await queries.signedTxs(sequence, onDamage)).map(
    ({ hash, gasLimit, feeAmount, submissionIds }) => ({
      hash,
      gasLimit,
      fee: String(feeAmount),
      messages: submissionIds.length,
      containsIt: submissionIds.includes(submissionId)
    })
  )
  return { sequence, state: 'open' as const, signedTxs }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { errorResponses } from '../../schemas/errors.ts'
import { ListQuery, SubmissionList } from '../../schemas/submission-list.ts'
import { fieldError, ServiceError } from '../../services/errors/index.ts'
import type { Holder, Place, RequestKind } from '../../services/submission/contract.ts'
import { contentOf } from '../../services/submission/store/payload.ts'
import { viewOf } from '../../services/submission/view.ts'

const schema = {
  operationId: 'listSubmissions',
  summary: 'Submissions of a caller',
  description:
    'The submissions that were sent with the caller’s API key, newest first; with the scope `operate`, those of ' +
    'all callers. `q` finds payments by any identifier that a customer has. `next` is the cursor of the next page. It is missing on the last page.',
  tags: ['submit'],
  querystring: ListQuery,
  response: { 200: SubmissionList, ...errorResponses(400) }
}

/**
 * How long to wait for statuses, in milliseconds. Slower ones are left out, so that a slow chain does not keep support
 * waiting, and that searches do not keep event streams and webhooks waiting for their polls.
 */
const STATUS_MS = 3000

const routes: FastifyPluginAsyncTypebox = async app => {
  const recordOf = (kind: RequestKind, txId: number) =>
    app.status.poll(kind, String(txId), AbortSignal.timeout(STATUS_MS)).catch(() => undefined)

  async function rowOf({ submission, caller, content }: Holder, hasStatus: boolean) {
    const message = content()
    const described = message && contentOf(message.typeUrl, message.message)
    const txId = hasStatus && submission.status === 'committed' ? submission.txId : undefined
    const kind = described?.kind === 'swap' ? 'swap' : 'transfer'
    const record = described && txId !== undefined ? await recordOf(kind, txId) : undefined
    return {
      ...viewOf(submission),
      ...described,
      ...(record && { txstatus: String(record['txstatus']) }),
      ...(caller !== undefined && { caller })
    }
  }

  app.get('/', { config: { scopes: ['read', 'operate'], isForCallers: true }, schema }, async request => {
    const { limit = 50, status, q, feeId, txId, from, to, cursor } = request.query
    const filter = {
      statuses: status,
      caller: ownerOf(request),
      identifier: q,
      feeId,
      txId,
      from: timeOf('from', from),
      to: timeOf('to', to),
      after: afterOf(cursor)
    }
    const { submissions, next } = await app.submissions.list(filter, limit)
    return {
      submissions: await Promise.all(submissions.map(one => rowOf(one, q !== undefined))),
      ...(next && { next: cursorOf(next) })
    }
  })
}

export default routes

/** Callers without the scope `operate` may list only their own submissions. @throws ServiceError SCOPE_MISSING */
function ownerOf({ caller, query }: FastifyRequest & { query: ListQuery }): string | undefined {
  if (caller === undefined || caller.scopes.includes('operate')) return query.caller
  if (query.caller === undefined || query.caller === caller.name) return caller.name
  throw new ServiceError('SCOPE_MISSING', `The key of ${caller.name} lacks the scope operate`)
}

function timeOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  const day = text.slice(0, 10)
  // Compare the day, because `Date.parse` converts February 30 to March 2.
  if (Number.isNaN(time) || !new Date(day).toISOString().startsWith(day))
    throw fieldError(field, 'must be a valid date and time')
  return time
}

const cursorOf = ({ createdAt, submissionId }: Place) =>
  Buffer.from(`${createdAt} ${submissionId}`).toString('base64url')

function afterOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, createdAt, submissionId] =
    /^(-?\d{1,16}) ([\w-]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  const after = submissionId !== undefined && { createdAt: Number(createdAt), submissionId }
  if (!after || cursorOf(after) !== cursor)
    throw fieldError('cursor', 'must be the value of `next` from an earlier response')
  return after
}

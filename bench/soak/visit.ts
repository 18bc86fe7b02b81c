import { setTimeout as delay } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Pool } from 'undici'
import { ROUTE, submitBody } from '../../test/helpers/transfer.ts'

const QUOTE_PATH = `/submit/fees?${new URLSearchParams({ ...ROUTE, amount: '100.5' })}`

const Quote = Type.Object({
  feeId: Type.String(),
  feeTotalBigInt: Type.String(),
  transactionValues: Type.Object({ feeFromOrigin: Type.Object({ submitAmount: Type.String() }) })
})
const Committed = Type.Object({ submissionId: Type.String(), txId: Type.Number() })
const Anything = Type.Unknown()

const POLLS = 3

/** Asks for a quote, which the server remembers. */
export const askQuote = (pool: Pool) => ask(pool, { path: QUOTE_PATH }, Quote)

/** How visits ended. */
export interface Visits {
  /** Those whose submission was committed, whatever failed after that. */
  committed: number
  complete: number
  /** How often which request failed. */
  failures: Record<string, number>
}

export const noVisits = (): Visits => ({ committed: 0, complete: 0, failures: {} })

/**
 * What one user of a widget makes of the server: the chains, a quote, the transfer, its submission and the polls of its
 * status. The last answer closes its connection.
 * @param pollMs the pause before each poll
 * @param visits counts the visit
 * @returns whether it was complete
 */
export async function visit(pool: Pool, pollMs: number, visits: Visits): Promise<boolean> {
  try {
    await ask(pool, { path: '/chains' }, Anything)
    const { feeId, feeTotalBigInt, transactionValues } = await askQuote(pool)
    const amounts = { amount: transactionValues.feeFromOrigin.submitAmount, fee: feeTotalBigInt }
    const body = submitBody(feeId, amounts)
    const { submissionId, txId } = await ask(pool, { path: '/submit', body }, Committed)
    visits.committed += 1
    await ask(pool, { path: `/submissions/${submissionId}` }, Anything)
    for (let poll = 1; poll <= POLLS; poll++) {
      await delay(pollMs)
      await ask(pool, { path: `/tx/${txId}/status`, isLast: poll === POLLS }, Anything)
    }
    visits.complete += 1
    return true
  } catch (error) {
    const failure = String(error)
    visits.failures[failure] = (visits.failures[failure] ?? 0) + 1
    return false
  }
}

interface Request {
  path: string
  /** JSON, of a POST. */
  body?: string
  /** Whether the connection is closed after it. */
  isLast?: boolean
}

async function ask<T extends typeof Quote | typeof Committed | typeof Anything>(
  pool: Pool,
  { path, body, isLast = false }: Request,
  shape: T
) {
  const answer = await pool.request({
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body ?? null,
    reset: isLast
  })
  const json = await answer.body.json()
  if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode} at ${path.split(/[?\d]/, 1)}`)
  return Value.Parse(shape, json)
}

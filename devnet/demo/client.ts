import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** A failed step of the demo; the message says which and why. */
export class DemoError extends Error {
  override name = 'DemoError'
}

/** An amount in base units, in either form that the server has for it. */
const Amount = Type.Union([Type.String(), Type.Object({ value: Type.String(), decimals: Type.Integer() })])

/** The digits of an amount in base units. */
export function digitsOf(amount: Static<typeof Amount>): string {
  return typeof amount === 'string' ? amount : amount.value
}

/** The parts of the server's answers that the client reads. */
export const Quote = Type.Object({
  feeId: Type.String({ minLength: 1 }),
  feeTotalFiat: Type.Number(),
  feeTotalBigInt: Amount,
  totalFeeUsd: Type.Number(),
  decimals: Type.Optional(Type.Integer()),
  transactionValues: Type.Object({
    feeFromOrigin: Type.Object({
      allowanceAmount: Amount,
      submitAmount: Amount,
      message: Type.String()
    })
  })
})

export const Compliance = Type.Object({
  isCompliant: Type.Boolean(),
  results: Type.Array(Type.Object({ result: Type.Object({ risk_score: Type.String() }) }))
})

export const Submitted = Type.Object({
  submissionId: Type.String(),
  txId: Type.Integer(),
  transactionHash: Type.String(),
  height: Type.Integer()
})

const Transaction = Type.Object({
  txstatus: Type.String(),
  failreason: Type.String(),
  pullhash: Type.String(),
  releasehash: Type.String()
})

export const Status = Type.Object({
  data: Type.Object({ transaction_data: Type.Union([Type.Tuple([Transaction]), Transaction]) })
})

/** The record of a status, in either form that the server has for it. */
export function recordOf({ data }: Static<typeof Status>): Static<typeof Transaction> {
  const { transaction_data } = data
  return Array.isArray(transaction_data) ? transaction_data[0] : transaction_data
}

/** A client of the server, as a widget would have one. Each call throws DemoError for an unexpected answer. */
export interface DemoClient {
  get<T extends TSchema>(path: string, schema: T): Promise<Static<T>>
  post<T extends TSchema>(path: string, body: unknown, schema: T): Promise<Static<T>>
}

export function createClient(baseUrl: string, signal: AbortSignal): DemoClient {
  async function call<T extends TSchema>(path: string, init: RequestInit, schema: T): Promise<Static<T>> {
    const response = await fetch(baseUrl + path, { ...init, signal })
    const text = await response.text()
    const answer = `${init.method} ${path.split('?', 1)} answered ${response.status}: ${text}`
    if (response.status !== 200) throw new DemoError(answer)
    const body: unknown = parse(text)
    if (!Value.Check(schema, body)) throw new DemoError(`${answer}\nwithout the fields that the client needs`)
    return body
  }

  return {
    get: (path, schema) => call(path, { method: 'GET' }, schema),
    post: (path, body, schema) =>
      call(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body)
        },
        schema
      )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

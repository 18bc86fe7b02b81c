import { QuotedAmount } from '../../schemas/fee-quote.ts'
import { checkFor } from '../schema-check.ts'

const known = checkFor(QuotedAmount)

/** An amount of a quote: digits in the smallest unit, and the decimals if the fee service specified them. */
export interface Amount {
  value: string
  decimals: number | undefined
}

/** @returns undefined unless the amount is digits or `{ value, decimals }` */
export function readAmount(amount: unknown): Amount | undefined {
  if (!known.Check(amount)) return undefined
  if (typeof amount === 'string') return { value: amount, decimals: undefined }
  return { value: String(amount.value), decimals: amount.decimals }
}

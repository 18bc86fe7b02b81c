import { unitsAt, wholeText } from '../../services/amounts.ts'

/** An amount in a token's smallest unit, as a digit string, and the number of decimals. */
export interface Amount {
  value: string
  decimals: number
}

/** Formats the amount in whole tokens without rounding: `{ value: '1500000', decimals: 6 }` is `1.5`. */
export function wholeTokens({ value, decimals }: Amount): string {
  return wholeText({ units: BigInt(value), decimals })
}

/** Converts the amount to another number of decimals, rounding up. */
export function inDecimals({ value, decimals }: Amount, to: number): Amount {
  return { value: String(unitsAt({ units: BigInt(value), decimals }, to).ceiling), decimals: to }
}

/** Adds the amounts. The result has the largest number of decimals among them. */
export function sum(amounts: readonly Amount[]): Amount {
  const decimals = Math.max(0, ...amounts.map(amount => amount.decimals))
  const values = amounts.map(amount => BigInt(inDecimals(amount, decimals).value))
  return { value: String(values.reduce((a, b) => a + b, 0n)), decimals }
}

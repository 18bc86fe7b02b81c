/** An amount in the smallest unit of a token: its digits, and how many of them are decimals. */
export interface Amount {
  value: string
  decimals: number
}

/** The amount in whole tokens, exactly: `{ value: '1500000', decimals: 6 }` is `1.5`. */
export function wholeTokens({ value, decimals }: Amount): string {
  const digits = value.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** The same amount with other decimals; what these cannot hold is rounded up. */
export function inDecimals({ value, decimals }: Amount, to: number): Amount {
  const digits = BigInt(value)
  if (to >= decimals) return { value: String(digits * 10n ** BigInt(to - decimals)), decimals: to }
  const unit = 10n ** BigInt(decimals - to)
  return { value: String((digits + unit - 1n) / unit), decimals: to }
}

/** The sum, in the decimals of the finest of them. */
export function sum(amounts: readonly Amount[]): Amount {
  const decimals = Math.max(0, ...amounts.map(amount => amount.decimals))
  const values = amounts.map(amount => BigInt(inDecimals(amount, decimals).value))
  return { value: String(values.reduce((a, b) => a + b, 0n)), decimals }
}

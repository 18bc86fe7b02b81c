/** Sample target addresses. Nobody needs to own them to receive the tokens of a development chain. */
const samples = {
  EVM: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  SOL: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  TRX: 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW',
  BTC: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
}

/** Returns the sample address of a chain family. @param family as returned by `familyOf` */
export function sampleAddressOf(family: string): string {
  return Object.entries(samples).find(([name]) => name === family)?.[1] ?? samples.EVM
}

/** Target addresses and their outcomes on the development network (devnet/README.md). */
export const outcomes = [
  ['Completed', samples.EVM],
  ['The pull fails', ending('f1')],
  ['The payout fails', ending('f2')],
  ['The payout fails, the amount is refunded', ending('f3')],
  ['The payout and the refund fail', ending('f4')],
  ['Declined as invalid', ending('f5')],
  ['Unavailable', ending('f8')],
  ['Refused by the chain: error event', ending('f6')],
  ['Refused by the chain: failed message', ending('f7')],
  ['Refused: not compliant', ending('c1')],
  ['Refused: the compliance provider fails', ending('c2')]
] as const

function ending(digits: string): string {
  return `0x${digits.padStart(40, '0')}`
}

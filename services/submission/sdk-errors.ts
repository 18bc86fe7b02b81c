/** Codes of the `sdk` codespace that the engine answers in a way of its own. */
export const SDK_CODE = {
  unauthorized: 4,
  insufficientFunds: 5,
  unknownAddress: 9,
  outOfGas: 11,
  insufficientFee: 13,
  wrongSequence: 32
} as const

/** The index of the message that made a transaction fail, as the SDK words it; undefined when it names none. */
export function failedMessageIndex(log: string): number | undefined {
  const index = /message index: (\d+)/.exec(log)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** The sequence that a node expected, from the text of `incorrect account sequence`; the code alone does not tell. */
export function expectedSequence(log: string): number | undefined {
  const expected = /account sequence mismatch, expected (\d+), got \d+/.exec(log)?.[1]
  return expected === undefined ? undefined : Number(expected)
}

/**
 * The SDK's name of the error at the very end, where no text of a user stands; what a simulation adds may follow:
 * a place in the source and the gas.
 */
const UNAUTHORIZED =
  /: unauthorized(?: \[[^\]]*\])?(?: With gas wanted: '\d+' and gas used: '\d+')?\s*(?:: unknown request)?$/

/**
 * Whether the chain refused a message because it takes none of this wallet's (spec §1.3). One code stands for many
 * refusals, and a node's answer to a simulation has but one for all, so the text tells: it ends with the SDK's name of
 * the error, and it speaks of the wallet. A refusal of one user's own doing must not stop all others.
 */
export function isWalletRefused(log: string, address: string): boolean {
  return UNAUTHORIZED.test(log) && (log.includes(address) || /whitelist/i.test(log))
}

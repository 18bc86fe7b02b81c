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
 * Whether a simulation failed because the wallet may not do what its message asks for. A node's answer to a
 * simulation has one code for all failures; only the text, which ends with the SDK's name of the error, tells.
 */
export function isUnauthorized(log: string): boolean {
  return /: unauthorized\b/.test(log)
}

import { safeInteger } from '../chain-client/index.ts'

/** Codes of the `sdk` codespace that the engine answers in a way of its own. */
export const SDK_CODE = {
  unauthorized: 4,
  insufficientFunds: 5,
  unknownAddress: 9,
  outOfGas: 11,
  insufficientFee: 13,
  wrongSequence: 32
} as const

/** The SDK's words for a failed message, at the very start: what follows may hold a user's text. */
const FAILED_MESSAGE = /^(?:rpc error: code = \S+ desc = )?failed to execute message; message index: (\d+)/

/**
 * The index of the message that made a transaction fail.
 * @param messageCount how many messages the transaction has
 * @returns undefined when the text names no message of it
 */
export function failedMessageIndex(log: string, messageCount: number): number | undefined {
  const index = safeInteger(FAILED_MESSAGE.exec(log)?.[1])
  return index !== undefined && index < messageCount ? index : undefined
}

/** The sequence that a node expected, from the text of `incorrect account sequence`; the code alone does not tell. */
export function expectedSequence(log: string): number | undefined {
  return safeInteger(/account sequence mismatch, expected (\d+), got \d+/.exec(log)?.[1])
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

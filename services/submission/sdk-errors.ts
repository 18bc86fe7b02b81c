import { safeInteger } from '../chain-client/index.ts'
import { shorten } from '../errors/shown.ts'
import type { Refusal } from './types.ts'

/** Codes of the `sdk` codespace that the engine handles. */
export const SDK_CODE = {
  unauthorized: 4,
  insufficientFunds: 5,
  unknownAddress: 9,
  outOfGas: 11,
  insufficientFee: 13,
  /** Made by the SDK's own client as a rule; a node that says so means its mempool, never the content. */
  inMempoolCache: 19,
  mempoolFull: 20,
  tooLarge: 21,
  wrongSequence: 32,
  invalidGasLimit: 41
} as const

/** Extracts the refusal from a response of the chain or of a node, to store it: a long text is cut. */
export function refusalOf({
  code,
  codespace,
  log
}: {
  code: number
  codespace: string
  log: string
}): Refusal {
  return { code, codespace, message: shorten(log) }
}

/** The refusal of a transaction for its size, with the SDK's code for it. */
export function tooLarge(message: string): Refusal {
  return { code: SDK_CODE.tooLarge, codespace: 'sdk', message }
}

/** The SDK's texts, where a simulation puts them too. Only the start counts: the rest may hold a user's text. */
const FAILED_MESSAGE = /^(?:rpc error: code = \S+ desc = )?failed to execute message; message index: (\d+)/
const WRONG_SEQUENCE = /^(?:rpc error: code = \S+ desc = )?account sequence mismatch, expected (\d+), got \d+/

/**
 * The index of the message that made a transaction fail.
 * @param messageCount how many messages the transaction has
 * @returns undefined when the text names no message of the transaction
 */
export function failedMessageIndex(log: string, messageCount: number): number | undefined {
  const index = safeInteger(FAILED_MESSAGE.exec(log)?.[1])
  return index !== undefined && index < messageCount ? index : undefined
}

/** The sequence that a node expected, from the text of `incorrect account sequence`; no other field has it. */
export function expectedSequence(log: string): number | undefined {
  return safeInteger(WRONG_SEQUENCE.exec(log)?.[1])
}

/**
 * The SDK's name of the error at the end of the text, where no user's text can be. A simulation appends a place in the
 * source and the gas.
 */
const UNAUTHORIZED =
  /: unauthorized(?: \[[^\]]*\])?(?: [Ww]ith (?:gas wanted: '\d+' and )?gas used: '\d+')?\s*(?:: unknown request)?$/

/**
 * Whether the text of a refusal looks as if the chain refuses all requests of this wallet (interface 17.4). The code does
 * not decide: it has many causes, and simulations report one code for all errors. The text ends with the SDK's name of
 * the error and mentions the wallet. A user's text may do so as well, so a simulation must confirm it.
 */
export function isWalletRefused(log: string, address: string): boolean {
  return UNAUTHORIZED.test(log) && (log.includes(address) || /whitelist/i.test(log))
}

import { safeInteger } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Refusal } from '../contract.ts'

export const SDK_CODE = {
  unauthorized: 4,
  insufficientFunds: 5,
  unknownAddress: 9,
  outOfGas: 11,
  insufficientFee: 13,
  /** Depends on the node's mempool, never on the transaction's content. */
  inMempoolCache: 19,
  mempoolFull: 20,
  wrongSequence: 32,
  invalidGasLimit: 41
} as const

interface ErrorResponse {
  code: number
  codespace: string
  log: string
}

/** Shortens the log, because a refusal is stored. */
export function refusalOf({ code, codespace, log }: ErrorResponse): Refusal {
  return { code, codespace, message: shorten(log) }
}

/** Matched only at the start, after the prefix that a simulation can add: the rest can contain a user's text. */
const FAILED_MESSAGE = /^(?:rpc error: code = \S+ desc = )?failed to execute message; message index: (\d+)/
const WRONG_SEQUENCE = /^(?:rpc error: code = \S+ desc = )?account sequence mismatch, expected (\d+), got \d+/

/** Returns the index of the failed message, if the log contains a valid one. */
export function failedMessageIndex(log: string, messageCount: number): number | undefined {
  const index = safeInteger(FAILED_MESSAGE.exec(log)?.[1])
  return index !== undefined && index < messageCount ? index : undefined
}

/** Returns the sequence that a node expected. Only the message of an `incorrect account sequence` error contains it. */
export function expectedSequence(log: string): number | undefined {
  return safeInteger(WRONG_SEQUENCE.exec(log)?.[1])
}

/** The mempool of a node is full. An application's own mempool reports that as an error without a codespace. */
export function isMempoolFull({ code, codespace, log }: ErrorResponse): boolean {
  const isOfSdk = codespace === 'sdk' && code === SDK_CODE.mempoolFull
  return isOfSdk || (code === 1 && log.startsWith('pool reached max tx capacity'))
}

/** Only at the start of the log: the rest can contain a user's text. */
const FEE_TOO_LOW = /^(?:gas prices too low|provided fee < minimum)/

export function isFeeTooLow({ code, codespace, log }: ErrorResponse): boolean {
  return (codespace === 'sdk' && code === SDK_CODE.insufficientFee) || FEE_TOO_LOW.test(log)
}

/** Returns whether a refusal as unauthorized (sdk 4) is about the signature itself. */
export const isSignatureWrong = (log: string): boolean => /signature|signer/.test(log)

/** Returns whether a transaction used more gas than it requested. Code 11 can also mean that it requested too much. */
export function ranOutOfGas(log: string): boolean {
  const [, wanted, used] = /gasWanted: (\d+), gasUsed: (\d+)/.exec(log) ?? []
  return Number(used) > Number(wanted)
}

/** Returns the highest gas limit that the chain accepts, if the log of a refusal contains it. */
export function gasCeiling(log: string): number | undefined {
  const [, digits] = /maximum (?:is|of) ([\d,]+)/i.exec(log) ?? []
  return safeInteger(digits?.replaceAll(',', '')) || undefined
}

/** The SDK's error name at the end, where no text from a user can be. A simulation appends a location and the gas. */
const UNAUTHORIZED =
  /: unauthorized(?: \[[^\]]*\])?(?: [Ww]ith (?:gas wanted: '\d+' and )?gas used: '\d+')?\s*(?:: unknown request)?$/

/**
 * Returns whether the chain seems to refuse all requests of this wallet (interface 17.4). The code is not enough: it
 * has many causes, and simulations use one code for all errors. Text from a user can look the same, so a simulation
 * must confirm the result.
 */
export function isWalletRefused(log: string, address: string): boolean {
  return UNAUTHORIZED.test(log) && (log.includes(address) || /whitelist/i.test(log))
}

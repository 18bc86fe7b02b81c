import { safeInteger } from '../../chain-client/index.ts'
import { shorten } from '../../errors/shown.ts'
import type { Refusal } from '../contract.ts'

/** The codes of the codespace `sdk`. Those of the mempool can also come from an application's own mempool. */
export const SDK_CODE = {
  unauthorized: 4,
  insufficientFunds: 5,
  unknownAddress: 9,
  outOfGas: 11,
  insufficientFee: 13,
  inMempoolCache: 19,
  mempoolFull: 20,
  tooLarge: 21,
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

/** Matches only the start of a log, after the prefix that a simulation can add: the rest can contain a user's text. */
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

/** The kind of a node's refusal. `README.md` lists the reaction to each. */
export type RefusalKind =
  | 'mempool-full'
  | 'cached'
  | 'sequence'
  | 'funds'
  | 'signature'
  | 'fee'
  /** The transaction requests more gas than the chain accepts. */
  | 'too-much-gas'
  | 'out-of-gas'
  | 'size'
  | 'content'

// Matched at the start of the log: the rest can contain a user's text.

/** An application's own mempool reports this without its own codespace. */
const MEMPOOL_FULL = /^(?:pool reached max tx capacity|(?:mempool|tx ?pool) is full)/i
const FEE_TOO_LOW = /^(?:gas prices too low|provided fee < minimum)/
const TOO_MUCH_GAS = /^too much gas wanted\b/i

// These patterns match whole sentences of the SDK's own checks, because a refusal of the wallet itself stops every
// message.

const NO_FUNDS =
  /^(?:(?:spendable balance )?[\w/:.,-]* ?is smaller than|locked amount exceeds account balance funds: [\w/:.,-]* >) [\w/:.,-]*(?:: insufficient funds)+$/
const NO_ACCOUNT = /^(?:fee payer address: (\w+)|account (\w+)) does not exist(?:: unknown address)+$/
const BAD_SIGNATURE =
  /^(?:signature verification failed; (?:please )?verify .*|invalid number of signer; {1,2}expected: \d+, got \d+): unauthorized$/

/** @param address the wallet's address */
export function refusalKindOf({ code, codespace, log }: ErrorResponse, address: string): RefusalKind {
  if (code === 1 && MEMPOOL_FULL.test(log)) return 'mempool-full'
  if (FEE_TOO_LOW.test(log)) return 'fee'
  switch (codespace === 'sdk' ? code : undefined) {
    case SDK_CODE.mempoolFull:
      return 'mempool-full'
    case SDK_CODE.inMempoolCache:
      return 'cached'
    case SDK_CODE.wrongSequence:
      return 'sequence'
    case SDK_CODE.insufficientFunds:
      return NO_FUNDS.test(log) ? 'funds' : 'content'
    case SDK_CODE.unknownAddress:
      return NO_ACCOUNT.exec(log)?.slice(1).includes(address) ? 'funds' : 'content'
    case SDK_CODE.unauthorized:
      return BAD_SIGNATURE.test(log) ? 'signature' : 'content'
    case SDK_CODE.insufficientFee:
      return 'fee'
    case SDK_CODE.invalidGasLimit:
      return 'too-much-gas'
    case SDK_CODE.outOfGas:
      return TOO_MUCH_GAS.test(log) ? 'too-much-gas' : 'out-of-gas'
    case SDK_CODE.tooLarge:
      return /^[^:;]*\bgas\b/.test(log) ? 'too-much-gas' : 'size'
    default:
      return 'content'
  }
}

/** Returns the highest gas limit that the chain accepts, if the log of a `too-much-gas` refusal contains it. */
export function gasCeiling(log: string): number | undefined {
  const [, digits] = /(?:maximum (?:is|of)|block max gas|max allowed:) ([\d,]+)/i.exec(log) ?? []
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

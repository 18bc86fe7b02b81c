import type { MsgRequestTransaction } from '../../../../services/messages/index.ts'
import { sdkError } from '../../chain/errors.ts'
import { isTarget, specialTargets } from './special-addresses.ts'

const DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/
const ZERO = /^[0.]+$/

const REQUIRED = ['originChain', 'originSymbol', 'targetChain', 'targetAddress', 'targetSymbol'] as const

/**
 * @param amounts by name; they must be positive decimal strings in whole tokens
 * @throws AbciError sdk 18
 */
export function validateRequest(
  message: Pick<MsgRequestTransaction, (typeof REQUIRED)[number] | 'fee'>,
  amounts: Record<string, string>
): void {
  for (const name of REQUIRED) {
    if (message[name] === '') throw invalid(`${name} is empty`)
  }
  for (const [name, amount] of Object.entries(amounts)) {
    if (!DECIMAL.test(amount)) throw invalid(`${name} is not a decimal amount`)
    if (ZERO.test(amount)) throw invalid(`${name} is zero`)
  }
  if (!DECIMAL.test(message.fee)) throw invalid('fee is not a decimal amount')
}

const LOCK = {
  fromAddress: /./,
  senderPubkey: /^([0-9a-f]{2}){66}$/,
  amount: /^(0|[1-9]\d*)(\.\d{1,8})?$/,
  htlcTimeout: /^\d{9,10}$/,
  txHash: /^[0-9a-f]{64}$/,
  htlcAddress: /./
}

export type LockRequest = Record<keyof typeof LOCK, string>

/** @throws AbciError sdk 18 */
export function validateLock(message: LockRequest): void {
  for (const [name, pattern] of Object.entries(LOCK))
    if (!pattern.test(message[name as keyof LockRequest])) throw invalid(`${name} is invalid`)
}

const invalid = (text: string) => sdkError('invalidRequest', text)

/**
 * Returns the reason if the chain refuses a valid message; undefined if it accepts the message. A refusal is an `error`
 * event in a transaction with code 0 (interface 8.8).
 */
export function refusalOf(message: { options: string; targetAddress: string }): string | undefined {
  if (!hasFeeId(message.options)) return 'options must be a JSON object with a feeId'
  if (isTarget(message.targetAddress, specialTargets.refusedByEvent)) return 'the target address is refused'
  return undefined
}

function hasFeeId(options: string): boolean {
  try {
    const feeId: unknown = JSON.parse(options)?.feeId
    return typeof feeId === 'string' && feeId !== ''
  } catch {
    return false
  }
}

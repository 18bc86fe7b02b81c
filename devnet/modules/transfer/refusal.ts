import { isTarget, specialTargets } from './special-addresses.ts'

/**
 * Why the chain takes the message but refuses the request: an `error` event in a transaction of code 0.
 * @returns undefined when the request is in order
 */
export function refusalOf(message: { options: string; targetAddress: string }): string | undefined {
  if (!hasFeeId(message.options)) return 'options must be a JSON object with a feeId'
  if (isTarget(message.targetAddress, specialTargets.refusedByEvent)) return 'the target address is refused'
  return undefined
}

function hasFeeId(options: string): boolean {
  try {
    const parsed: unknown = JSON.parse(options)
    if (typeof parsed !== 'object' || parsed === null || !('feeId' in parsed)) return false
    return typeof parsed.feeId === 'string' && parsed.feeId !== ''
  } catch {
    return false
  }
}

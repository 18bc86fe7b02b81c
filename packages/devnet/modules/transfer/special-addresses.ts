/**
 * Target addresses whose transfers do not end as `Completed`, for testing failure paths. They work on every target
 * chain; devnet/README.md has the table.
 */
export const specialTargets = {
  failedToPull: evmAddress('f1'),
  failedToPay: evmAddress('f2'),
  refunded: evmAddress('f3'),
  refundFailed: evmAddress('f4'),
  declined: evmAddress('f5'),
  refusedByEvent: evmAddress('f6'),
  failedMessage: evmAddress('f7'),
  unavailable: evmAddress('f8')
}

/** Ignores the EIP-55 case of addresses. */
export function isTarget(address: string, special: string): boolean {
  return address.toLowerCase() === special
}

function evmAddress(lastByte: string): string {
  return `0x${lastByte.padStart(40, '0')}`
}

/** Target addresses whose transfers do not reach `Completed`, on every target chain. See packages/devnet/README.md. */
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

/** Compares an address with a special address, ignoring case (EIP-55). */
export function isTarget(address: string, special: string): boolean {
  return address.toLowerCase() === special
}

function evmAddress(lastByte: string): string {
  return `0x${lastByte.padStart(40, '0')}`
}

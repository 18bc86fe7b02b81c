import { isRail } from './rails.ts'

/**
 * The addresses that take part in a submission, by the names of their fields. What a request gives as the origin of
 * a rail is no address of anyone's.
 */
export function parties(body: {
  originChain: string
  originAddress: string
  targetAddress: string
}): Record<string, string> {
  const { originChain, originAddress, targetAddress } = body
  return isRail(originChain) ? { targetAddress } : { originAddress, targetAddress }
}

import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createMessageTypes, createRegistry } from './index.ts'

/** An address without an owner. */
const NOBODY = '0x000000000000000000000000000000000000dEaD'

/** A request of the wallet for simulations. It is never sent. */
export function canaryRequest(brand: string, creator: string): Any {
  const { typeUrl } = createMessageTypes(brand).requestTransaction
  const value = {
    creator,
    originChain: 'ETH',
    originAddress: NOBODY,
    originSymbol: 'USDT',
    targetChain: 'POL',
    targetAddress: NOBODY,
    targetSymbol: 'USDT',
    amount: '1',
    fee: '0',
    options: '{}'
  }
  return createRegistry(brand).encodeAsAny({ typeUrl, value })
}

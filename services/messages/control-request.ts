import type { Any } from 'cosmjs-types/google/protobuf/any'
import { createMessageTypes } from './index.ts'

/** An address that nobody owns. */
export const NOBODY = '0x000000000000000000000000000000000000dEaD'

/** Creates a message from the wallet for simulations. It is never broadcast. */
export function encodeControlRequest(brand: string, creator: string): Any {
  const { typeUrl, encode, fromPartial } = createMessageTypes(brand).requestTransaction
  const message = fromPartial({
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
  })
  return { typeUrl, value: encode(message).finish() }
}

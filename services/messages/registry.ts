import { Registry } from '@cosmjs/proto-signing'
import { createMessageTypes } from './index.ts'

/** CosmJS's encoder of the requests that the wallet signs. */
export function createRegistry(brand: string): Registry {
  const { requestTransaction, requestSwapTransaction } = createMessageTypes(brand)
  return new Registry([requestTransaction, requestSwapTransaction].map(type => [type.typeUrl, type]))
}

import { BinaryReader } from 'cosmjs-types/binary'
import { GasInfo } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'

/** The field `gas_info` of a SimulateResponse. The rest is the results and events of all messages, which nobody reads. */
const GAS_INFO = 1

/**
 * The gas that a simulation used.
 * @param response an encoded SimulateResponse
 * @returns undefined when it does not say
 * @throws when the bytes cannot be read
 */
export function simulatedGas(response: Uint8Array): bigint | undefined {
  const reader = new BinaryReader(response)
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (field === GAS_INFO) return GasInfo.decode(reader, reader.uint32()).gasUsed
    reader.skipType(wireType)
  }
  return undefined
}

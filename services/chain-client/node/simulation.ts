import { createCodec } from '../../messages/codec.ts'
import { bytes, uint64 } from '../../messages/fields.ts'

/** What is read and written of `cosmos.tx.v1beta1`: the library's types bring those of all blocks and evidence along. */
const SimulateRequest = createCodec({ txBytes: bytes(2) })
const SimulateResponse = createCodec({ gasInfo: bytes(1) })
const GasInfo = createCodec({ gasUsed: uint64(2) })

/** An encoded SimulateRequest for a transaction. */
export function simulateRequest(txBytes: Uint8Array): Uint8Array {
  return SimulateRequest.encode({ txBytes }).finish()
}

/**
 * The gas that a simulation used, zero when the response does not say.
 * @param response an encoded SimulateResponse
 * @throws RangeError when the bytes cannot be read
 */
export function simulatedGas(response: Uint8Array): bigint {
  return GasInfo.decode(SimulateResponse.decode(response).gasInfo).gasUsed
}

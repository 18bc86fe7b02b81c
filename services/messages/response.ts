import { createCodec } from './codec.ts'
import { string, uint64 } from './fields.ts'

/** The chain's response to either message (interface 8.6). */
export interface MsgRequestResponse {
  code: string
  msg: string
  /** The chain's sequential transaction id. */
  txId: bigint
}

export const msgRequestResponse = createCodec<MsgRequestResponse>({
  code: string(1),
  msg: string(2),
  txId: uint64(3)
})

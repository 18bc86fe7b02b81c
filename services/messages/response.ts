import { createCodec } from './codec.ts'
import { type Message, string, uint64 } from './fields.ts'

/** The chain's response to either message (interface 8.6). */
const fields = {
  code: string(1),
  msg: string(2),
  /** The chain's sequential transaction id. */
  txId: uint64(3)
}

export type MsgRequestResponse = Message<typeof fields>
export const msgRequestResponse = createCodec<MsgRequestResponse>(fields)

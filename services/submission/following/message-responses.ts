import { BinaryReader } from 'cosmjs-types/binary'
import { Any } from 'cosmjs-types/google/protobuf/any'

/**
 * The field `msg_responses` of a `cosmos.base.abci.v1beta1.TxMsgData`. The library's type of that message brings those of
 * all blocks and evidence along.
 */
const MSG_RESPONSES = 2

/**
 * The responses of a transaction's messages, in their order.
 * @param data an encoded TxMsgData
 * @throws RangeError when the bytes cannot be read
 */
export function messageResponses(data: Uint8Array): Uint8Array[] {
  const reader = new BinaryReader(data)
  const responses: Uint8Array[] = []
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag()
    if (field === MSG_RESPONSES) responses.push(Any.decode(reader, reader.uint32()).value)
    else reader.skipType(wireType)
  }
  reader.assertBounds()
  return responses
}

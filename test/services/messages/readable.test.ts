import { createMessageTypes } from '../../../services/messages/index.ts'
import { messageFields } from '../../../services/messages/readable.ts'
import { test } from '../../helpers/tap.ts'
import { ownRequest } from '../../helpers/transfer.ts'

const { requestSwapTransaction: swap } = createMessageTypes('service')

test('decodes the fields of a swap, and none of a message that is unknown or damaged', async t => {
  const { fields } = ownRequest('swap-1')
  const message = swap.encode(swap.fromPartial(fields)).finish()
  t.strictSame(messageFields('service', swap.typeUrl, message), fields)
  t.equal(messageFields('service', `${swap.typeUrl}s`, message), null)
  t.equal(messageFields('service', swap.typeUrl, message.subarray(1)), null)
})

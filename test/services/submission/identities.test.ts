import { createMessageTypes, type MessageType } from '../../../services/messages/index.ts'
import { createIdentify } from '../../../services/submission/identities.ts'
import { test } from '../../helpers/tap.ts'

test('identifies a bitcoin lock, its transfer and its refund by transaction and sender', async t => {
  const { requestHtlcLock, htlcReclaim, requestTransaction } = createMessageTypes('service')
  const creator = 'service1wallet'
  const identify = createIdentify('service', creator)
  function identitiesOf<T>({ typeUrl, encode, fromPartial }: MessageType<T>, message: Partial<T>) {
    const { identities } = identify({ typeUrl, value: encode(fromPartial(message)).finish() })
    return identities.map(({ kind, value }) => `${kind} ${value}`)
  }
  const sender = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  const lock = { creator, txHash: 'AB', fromAddress: sender.toUpperCase() }
  t.strictSame(identitiesOf(requestHtlcLock, lock), [`registration ab:${sender}`])
  t.strictSame(identitiesOf(requestHtlcLock, { ...lock, creator: 'another' }), [])
  const reclaim = { creator, txHash: 'ab', senderAddress: sender }
  t.strictSame(identitiesOf(htlcReclaim, reclaim), [`reclaim ab:${sender}`])
  const locked = { creator, originChain: 'BTC', htlcCreationHash: 'AB', htlcCreationVout: 2 }
  const transfer = { ...locked, options: '{"feeId":"f-1"}' }
  t.strictSame(identitiesOf(requestTransaction, transfer), ['fee f-1', 'lock ab:2'])
})

import { createMessageTypes } from '../../../services/messages/index.ts'
import { contentHash, identitiesIn } from '../../../services/submission/identities.ts'
import { test } from '../../helpers/tap.ts'

const { typeUrl, encode, fromPartial } = createMessageTypes('service').requestTransaction

test('excludes the creator from the content hash, so a message keeps its hash under a new wallet', t => {
  const hashOf = (creator: string, amount = '1') =>
    contentHash(typeUrl, encode(fromPartial({ creator, amount })).finish()).toString('hex')
  t.equal(hashOf('service1one'), hashOf('service1another'))
  t.equal(hashOf('service1one'), hashOf(''))
  t.not(hashOf('service1one'), hashOf('service1one', '2'))
  t.end()
})

test('identifies a request by its feeId, and a fiat payment by its seed as well', t => {
  const options = JSON.stringify({ feeId: 'f-1', transactionIdSeed: 's-1' })
  const fee = { kind: 'fee', value: 'f-1' }
  t.strictSame(identitiesIn({ originChain: 'ETH', options }), [fee])
  t.strictSame(identitiesIn({ originChain: 'FIAT', options }), [fee, { kind: 'payment', value: 's-1' }])
  for (const nothing of ['', '{', 'null', '{"feeId":7}', '{"feeId":""}']) {
    t.strictSame(identitiesIn({ originChain: 'FIAT', options: nothing }), [], nothing)
  }
  t.end()
})

import { identitiesIn } from '../../../services/submission/identities.ts'
import { test } from '../../helpers/tap.ts'

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

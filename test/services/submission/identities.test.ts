import { createMessageTypes } from '../../../services/messages/index.ts'
import { createIdentify, identified } from '../../../services/submission/identities.ts'
import { test } from '../../helpers/tap.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const route = {
  targetChain: 'ETH',
  targetAddress: address,
  targetSymbol: 'USDC',
  htlcCreationHash: 'ab',
  htlcCreationVout: 1
}
const options = JSON.stringify({ feeId: 'f-1', transactionIdSeed: 's-1' })

test('identifies a crypto origin by its feeId, and the payment of a rail by its seed', async t => {
  const payment = { kind: 'payment', value: 's-1', target: String }
  t.match(identified({ originChain: 'ETH', options, ...route }), {
    identities: [{ kind: 'fee', value: 'f-1' }],
    feeId: 'f-1'
  })
  const { identities, feeId } = identified({ originChain: 'FIAT', options, ...route })
  t.match(identities, [payment])
  t.equal(identities.length, 1, 'its quote is only a price')
  t.equal(feeId, 'f-1')
  for (const nothing of ['', '{', 'null', '{"feeId":7}', '{"feeId":""}', '{"feeId":"f-1"}'])
    t.strictSame(identified({ originChain: 'FIAT', options: nothing, ...route }).identities, [], nothing)
})

test('a payment’s target is its chain, symbol and address in any spelling', async t => {
  const targetOf = (change: object) =>
    identified({ originChain: 'FIAT', options, ...route, ...change }).identities.flatMap(one =>
      one.kind === 'payment' ? one.target : []
    )
  const target = targetOf({})
  t.match(target, [/^[0-9a-f]{64}$/])
  t.strictSame(targetOf({ targetAddress: address.toLowerCase(), amount: '7' }), target)
  for (const change of [
    { targetChain: 'POL' },
    { targetSymbol: 'USDT' },
    { targetAddress: address.replace('8ba', '8bb') }
  ])
    t.notSame(targetOf(change), target, JSON.stringify(change))
})

test('identifies a bitcoin lock, its transfer and its refund by transaction and sender', async t => {
  const { requestHtlcLock, htlcReclaim, requestTransaction } = createMessageTypes('service')
  const identify = createIdentify('service', 'service1wallet')
  const sender = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  const lock = (creator: string) => ({
    typeUrl: requestHtlcLock.typeUrl,
    value: requestHtlcLock
      .encode(requestHtlcLock.fromPartial({ creator, txHash: 'AB', fromAddress: sender.toUpperCase() }))
      .finish()
  })
  const reclaim = htlcReclaim
    .encode({ creator: 'service1wallet', txHash: 'ab', senderAddress: sender })
    .finish()
  const transfer = requestTransaction.fromPartial({
    creator: 'service1wallet',
    originChain: 'BTC',
    htlcCreationHash: 'AB',
    htlcCreationVout: 2,
    options: '{"feeId":"f-1"}'
  })
  const value = requestTransaction.encode(transfer).finish()
  t.strictSame(identify(lock('service1wallet')), {
    identities: [{ kind: 'registration', value: `ab:${sender}` }]
  })
  t.strictSame(identify(lock('another')), { identities: [] })
  t.strictSame(identify({ typeUrl: htlcReclaim.typeUrl, value: reclaim }), {
    identities: [{ kind: 'reclaim', value: `ab:${sender}` }]
  })
  t.strictSame(identify({ typeUrl: requestTransaction.typeUrl, value }).identities, [
    { kind: 'fee', value: 'f-1' },
    { kind: 'lock', value: 'ab:2' }
  ])
})

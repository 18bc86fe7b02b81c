import { createMessageTypes } from '../../../services/messages/index.ts'
import { createIdentify, identified } from '../../../services/submission/identities.ts'
import { test } from '../../helpers/tap.ts'

test('a payment’s target is its chain, symbol and address in any spelling', async t => {
  const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
  const ends = { originChain: 'FIAT', targetChain: 'ETH', targetAddress: address, targetSymbol: 'USDC' }
  const payment = { options: '{"transactionIdSeed":"s-1"}', htlcCreationHash: '', htlcCreationVout: 0 }
  const targetOf = (change: object) =>
    identified({ ...ends, ...payment, ...change }).identities.map(one => one.kind === 'payment' && one.target)
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

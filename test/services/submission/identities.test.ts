import { createMessageTypes, type MessageType } from '../../../services/messages/index.ts'
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
  /** @returns the identities of a message of the wallet */
  function identitiesOf<T>({ typeUrl, encode, fromPartial }: MessageType<T>, fields: object) {
    const value = encode(fromPartial({ creator: 'service1wallet', ...fields } as Partial<T>)).finish()
    return identify({ typeUrl, value }).identities.map(({ kind, value }) => `${kind} ${value}`)
  }
  const sender = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
  const lock = { txHash: 'AB', fromAddress: sender.toUpperCase() }
  t.strictSame(identitiesOf(requestHtlcLock, lock), [`registration ab:${sender}`])
  t.strictSame(identitiesOf(requestHtlcLock, { ...lock, creator: 'another' }), [])
  t.strictSame(identitiesOf(htlcReclaim, { txHash: 'ab', senderAddress: sender }), [`reclaim ab:${sender}`])
  const locked = { originChain: 'BTC', htlcCreationHash: 'AB', htlcCreationVout: 2 }
  const transfer = { ...locked, options: '{"feeId":"f-1"}' }
  t.strictSame(identitiesOf(requestTransaction, transfer), ['fee f-1', 'lock ab:2'])
})

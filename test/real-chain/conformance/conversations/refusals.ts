import { toHex } from '@cosmjs/encoding'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import {
  account,
  base64,
  DENOM,
  feeFor,
  OTHER_CHAIN_ADDRESS,
  RECIPIENT,
  send,
  sign,
  signAmino,
  type TxOptions,
  UNKNOWN_ADDRESS
} from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { transfer } from '../requests.ts'

/** Transactions that CheckTx refuses, in each kind of broadcast. */
export const refusals: Conversation = {
  name: 'refusals',
  async play(network, note) {
    const from = account('refusals')
    const broadcast = async (step: string, tx: Uint8Array, kind = 'sync') =>
      note(step, await network.call(`broadcast_tx_${kind}`, { tx: base64(tx) }))
    const simple = send(from.address, RECIPIENT, 1)
    const refused = async (
      step: string,
      options: TxOptions,
      messages: Parameters<typeof sign>[1] = [simple]
    ) => broadcast(step, await sign(from, messages, { sequence: 1, ...options }))

    // Its key is known afterwards, and the sequence is 1.
    const opening = await sign(from, [simple])
    await broadcast('accepted', opening)
    await included(network, opening)

    await broadcast('no bytes', new Uint8Array())
    await broadcast('one byte', Uint8Array.of(1))
    await broadcast('text', Buffer.from('hello'))
    await broadcast('garbage', Buffer.alloc(40, 0xff))
    const good = TxRaw.decode(await sign(from, [simple], { sequence: 1 }))
    const raw = (change: Partial<TxRaw>) => TxRaw.encode(TxRaw.fromPartial({ ...good, ...change })).finish()
    await broadcast('garbage as body', raw({ bodyBytes: Buffer.alloc(9, 0xff) }))
    await broadcast('garbage as auth info', raw({ authInfoBytes: Buffer.alloc(9, 0xff) }))
    await broadcast('a body only', raw({ authInfoBytes: new Uint8Array(), signatures: [] }))
    await broadcast('an unknown field', Buffer.concat([raw({}), Buffer.from([0x22, 1, 1])]))
    await broadcast('fields out of order', Buffer.concat([raw({}), Buffer.from([0x0a, 1, 1])]))
    await broadcast(
      'an unknown field in the body',
      raw({ bodyBytes: Buffer.concat([good.bodyBytes, Buffer.from([0x62, 1, 1])]) })
    )

    await refused('sequence too low', { sequence: 0, memo: 'again' })
    await refused('sequence too high', { sequence: 3 })
    await refused('wrong chain id', { signed: { chainId: 'another-chain' } })
    await refused('wrong account number', { signed: { accountNumber: 999n } })
    const amino = { to: RECIPIENT, sequence: 1 }
    await broadcast(
      'Amino JSON, wrong chain id',
      await signAmino('refusals', { ...amino, chainId: 'another-chain' })
    )
    await broadcast('Amino JSON, sequence too high', await signAmino('refusals', { ...amino, sequence: 2 }))
    await refused('a signature of zeros', { signatures: [new Uint8Array(64)] })
    await refused('a short signature', { signatures: [Uint8Array.of(1, 2, 3)] })
    await refused('no signature', { signatures: [] })
    await refused('two signatures', { signatures: [new Uint8Array(64), new Uint8Array(64)] })
    await broadcast(
      'signed by another key',
      await sign(
        { ...account('stranger'), address: account('stranger').address, number: from.number },
        [simple],
        {
          sequence: 1
        }
      )
    )
    await refused('no fee', { fee: [] })
    await refused('fee too small', { fee: [{ denom: DENOM, amount: '4999' }] })
    await refused('fee in another denomination', { fee: [{ denom: 'uother', amount: '700' }] })
    await refused('fee above the balance', { fee: [{ denom: DENOM, amount: '99999999999' }] })
    await refused('fees out of order', {
      fee: [
        { denom: 'uother', amount: '1' },
        { denom: DENOM, amount: '5000' }
      ]
    })
    await refused('negative fee', { fee: [{ denom: DENOM, amount: '-5000' }] })
    await refused('fee that is no number', { fee: [{ denom: DENOM, amount: 'many' }] })
    await refused('fee in a bad denomination', { fee: [{ denom: '!', amount: '5000' }] })
    await refused('memo too long', { memo: 'x'.repeat(257) })
    await refused('gas 0', { gas: 0, fee: feeFor(200_000) })
    await refused('gas above the block', { gas: 40_000_001 })
    await refused('gas for nothing', { gas: 100, fee: feeFor(200_000) })
    await refused('gas for the bytes only', { gas: 4000, fee: feeFor(200_000) })
    await refused('timeout height passed', { timeoutHeight: 1n })
    await refused('fee granter', { feeGranter: account('stranger').address })
    await refused('fee payer that did not sign', { feePayer: account('stranger').address })
    await refused('fee payer that is no address', { feePayer: 'nobody' })
    await refused('no messages', {}, [])
    await refused('unknown message type', {}, [
      { typeUrl: '/cosmos.bank.v1beta1.MsgNothing', value: new Uint8Array() }
    ])
    await refused('message type without a slash', {}, [{ typeUrl: 'nothing', value: new Uint8Array() }])
    await refused('garbage as message', {}, [
      { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Uint8Array.of(255, 255, 255) }
    ])
    await refused('a field that a message does not have', {}, [
      { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Uint8Array.of(0x2a, 1, 1) }
    ])
    await refused('a message without fields', {}, [
      { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: new Uint8Array() }
    ])
    await refused('sender that is no address', {}, [send('nobody', RECIPIENT, 1)])
    await refused('sender with a wrong checksum', {}, [send(`${from.address.slice(0, -1)}x`, RECIPIENT, 1)])
    await refused('sender of another chain', {}, [send(OTHER_CHAIN_ADDRESS, RECIPIENT, 1)])
    await refused('sender unknown', {}, [send(UNKNOWN_ADDRESS, from.address, 1)])
    await refused('creator that is no address', {}, [transfer('nobody', 'a')])
    await refused('creator empty', {}, [transfer('', 'a')])
    await refused('transfer without a target', {}, [transfer(from.address, 'a', { targetAddress: '' })])
    await refused('transfer of nothing', {}, [transfer(from.address, 'a', { amount: '0' })])
    await refused('transfer with a bad amount', {}, [transfer(from.address, 'a', { amount: 'much' })])
    await refused('transfer with a bad fee', {}, [transfer(from.address, 'a', { fee: '-1' })])
    await refused('the second of two messages is bad', {}, [
      simple,
      transfer(from.address, 'a', { amount: '' })
    ])

    const penniless = account('penniless')
    const poor = await sign(penniless, [send(penniless.address, from.address, 1)])
    await broadcast('insufficient funds for the fee', poor)
    await broadcast('insufficient funds for the fee, async', poor, 'async')
    await broadcast('insufficient funds for the fee, commit', poor, 'commit')
    await broadcast('garbage, async', Uint8Array.of(1), 'async')
    await broadcast('garbage, commit', Uint8Array.of(1), 'commit')
    note('check_tx', await network.call('check_tx', { tx: base64(poor) }))
    note('check_tx of garbage', await network.call('check_tx', { tx: base64(Uint8Array.of(1)) }))
    note('no tx', await network.call('broadcast_tx_sync'))
    note('tx in hex', await network.call('broadcast_tx_sync', { tx: `0x${toHex(poor)}` }))
    note('tx in the path', await network.http(`/broadcast_tx_sync?tx=0x${toHex(poor)}`))
    note('tx as text in the path', await network.http('/broadcast_tx_sync?tx="abc"'))
    note('the refused ones left nothing', await network.call('num_unconfirmed_txs'))
  }
}

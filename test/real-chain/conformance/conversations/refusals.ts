import {
  account,
  base64,
  DENOM,
  feeFor,
  RECIPIENT,
  send,
  sign,
  type TxOptions,
  UNKNOWN_ADDRESS
} from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { transfer } from '../requests.ts'

/** Transactions that CheckTx refuses. */
export const refusals: Conversation = {
  name: 'refusals',
  async play(network, note) {
    const from = account('refusals')
    const broadcast = async (step: string, tx: Uint8Array) =>
      note(step, await network.call('broadcast_tx_sync', { tx: base64(tx) }))
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

    await refused('sequence too low', { sequence: 0, memo: 'again' })
    await refused('sequence too high', { sequence: 3 })
    await refused('wrong chain id', { signed: { chainId: 'another-chain' } })
    await refused('wrong account number', { signed: { accountNumber: 999n } })
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
    await refused('gas 0', { gas: 0, fee: feeFor(200_000) })
    await refused('gas above the block', { gas: 40_000_001 })
    await refused('gas for nothing', { gas: 100, fee: feeFor(200_000) })
    await refused('gas for the bytes only', { gas: 4000, fee: feeFor(200_000) })
    await refused('no messages', {}, [])
    await refused('unknown message type', {}, [
      { typeUrl: '/cosmos.bank.v1beta1.MsgNothing', value: new Uint8Array() }
    ])
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
  }
}

import { account, base64, DENOM, RECIPIENT, send, sign, type TxOptions } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { transfer } from '../requests.ts'

/** Transactions that pass CheckTx and fail in their block. */
export const failures: Conversation = {
  name: 'failures in a block',
  async play(network, note) {
    const from = account('failures')
    const simple = send(from.address, RECIPIENT, 1)
    const unaffordable = send(from.address, RECIPIENT, '99999999999999')
    let sequence = 0
    const fails = async (step: string, messages: Parameters<typeof sign>[1], options: TxOptions = {}) => {
      await network.nextBlock()
      const tx = await sign(from, messages, { sequence: sequence++, ...options })
      const answer = await network.call('broadcast_tx_sync', { tx: base64(tx) })
      note(`${step}, sent`, answer)
      note(step, (await included(network, tx)).answer)
      note(`${step}, sent again`, await network.call('broadcast_tx_sync', { tx: base64(tx) }))
    }
    await fails('insufficient funds', [unaffordable])
    await fails('insufficient funds in the second message', [simple, unaffordable, simple])
    await fails('not whitelisted', [transfer(from.address, 'a')])
    await fails('not whitelisted in the third message', [simple, simple, transfer(from.address, 'a')])
    await fails('another denomination', [send(from.address, RECIPIENT, 1, 'unothing')])
    await fails('out of gas', [simple, simple, simple, simple], { gas: 62_000 })
    const twoCoins = [
      { denom: DENOM, amount: '5000' },
      { denom: 'uother', amount: '1' }
    ]
    await fails('a successful one between, with a fee in two denominations', [simple], { fee: twoCoins })

    await network.nextBlock()
    const commit = await sign(from, [simple, unaffordable], { sequence: sequence++ })
    note('commit', await network.call('broadcast_tx_commit', { tx: base64(commit) }))
    await included(network, commit)
    const last = await sign(from, [simple], { sequence: sequence++, timeoutHeight: 999_999n })
    note('after all of them', await network.call('broadcast_tx_commit', { tx: base64(last) }))
  }
}

/** Messages that the two SDK releases check at different times. */
export const lateChecks: Conversation = {
  name: 'bank messages that are malformed',
  async play(network, note) {
    const from = account('stranger')
    let sequence = 0
    const sent = async (step: string, message: Parameters<typeof sign>[1][number]) => {
      await network.nextBlock()
      const tx = await sign(from, [message], { sequence })
      const answer = await network.call('broadcast_tx_commit', { tx: base64(tx) })
      note(step, answer)
      if (JSON.stringify(answer.body).includes('"height":"0"')) return
      await included(network, tx)
      sequence++
    }
    await sent('recipient that is no address', send(from.address, 'nobody', 1))
    await sent('recipient empty', send(from.address, '', 1))
    await sent('recipient with a wrong checksum', send(from.address, `${RECIPIENT.slice(0, -1)}x`, 1))
    await sent('amount 0', send(from.address, RECIPIENT, 0))
    await sent('amount negative', send(from.address, RECIPIENT, -1))
    await sent('bad denomination', send(from.address, RECIPIENT, 1, '!'))
    await sent('no coins', {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: { fromAddress: from.address, toAddress: RECIPIENT, amount: [] }
    })
    await sent('several recipients', {
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: {
        inputs: [{ address: from.address, coins: [{ denom: 'uother', amount: '3' }] }],
        outputs: [
          { address: RECIPIENT, coins: [{ denom: 'uother', amount: '1' }] },
          { address: account('failures').address, coins: [{ denom: 'uother', amount: '2' }] }
        ]
      }
    })
    await sent('sums that differ', {
      typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
      value: {
        inputs: [{ address: from.address, coins: [{ denom: 'uother', amount: '3' }] }],
        outputs: [{ address: RECIPIENT, coins: [{ denom: 'uother', amount: '1' }] }]
      }
    })
  }
}

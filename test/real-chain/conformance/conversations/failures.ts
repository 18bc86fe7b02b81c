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
  }
}

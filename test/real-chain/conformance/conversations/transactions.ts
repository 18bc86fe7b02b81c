import { setTimeout as delay } from 'node:timers/promises'
import { account, base64, RECIPIENT, send, sign } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { swap, transfer } from '../requests.ts'

/** Transactions that succeed, and what the node then says about them. */
export const transactions: Conversation = {
  name: 'transactions that succeed',
  async play(network, note) {
    const from = account('transactions')
    const broadcast = (tx: Uint8Array) => network.call('broadcast_tx_sync', { tx: base64(tx) })

    const first = await sign(from, [send(from.address, RECIPIENT, 5)], { memo: 'first' })
    await network.nextBlock()
    note('sent', await broadcast(first))
    note('the same again while it waits', await broadcast(first))
    const found = await included(network, first)
    note('tx', found.answer)
    note('its block', await network.call('block', { height: found.height }))
    note('the results of its block', await network.call('block_results', { height: found.height }))
    note('the same again after its block', await broadcast(first))

    const messages = [send(from.address, RECIPIENT, 7), send(from.address, from.address, 1, 'uother')]
    const second = await sign(from, messages, { sequence: 1 })
    await broadcast(second)
    note('two messages', (await included(network, second)).answer)

    const third = await sign(from, [send(from.address, RECIPIENT, 8)], { sequence: 2 })
    const fourth = await sign(from, [send(from.address, RECIPIENT, 9)], { sequence: 3 })
    await network.nextBlock()
    await broadcast(third)
    // The mempools take transactions in the order in which their checks end.
    await delay(20)
    await broadcast(fourth)
    const last = await included(network, fourth)
    note('the results of both', await network.call('block_results', { height: last.height }))
    await network.nextBlock()
    const next = String(Number(last.height) + 1)
    note('the block after it', await network.call('block', { height: next }))
  }
}

/** Requests to move money, which only one wallet may submit. */
export const requests: Conversation = {
  name: 'requests',
  async play(network, note) {
    const from = account('development')
    let sequence = 0
    const submit = async (step: string, ...messages: Parameters<typeof sign>[1]) => {
      await network.nextBlock()
      const tx = await sign(from, messages, { sequence: sequence++, gas: 2_000_000 })
      note(`${step}, sent`, await network.call('broadcast_tx_sync', { tx: base64(tx) }))
      note(step, (await included(network, tx)).answer)
    }
    await submit('a transfer', transfer(from.address, 'a'))
    await submit('a swap', swap(from.address, 'b'))
    await submit('several', transfer(from.address, 'c'), swap(from.address, 'd'), transfer(from.address, 'e'))
    await submit(
      'refused by event',
      transfer(from.address, 'f', { targetAddress: `0x${'f6'.padStart(40, '0')}` })
    )
    await submit(
      'one of three refused by event',
      transfer(from.address, 'g'),
      swap(from.address, 'h', { targetAddress: `0x${'f6'.padStart(40, '0')}` }),
      transfer(from.address, 'i')
    )
    await submit('without a fee id', transfer(from.address, '', { options: '{}' }))
    await submit('options that are no JSON', transfer(from.address, '', { options: 'nothing' }))
    await submit(
      'the last of two fails',
      transfer(from.address, 'j'),
      transfer(from.address, 'k', { targetAddress: `0x${'f7'.padStart(40, '0')}` })
    )
    await submit('a swap fails', swap(from.address, 'l', { targetAddress: `0x${'f7'.padStart(40, '0')}` }))
    await submit('the ids go on', transfer(from.address, 'm'))
  }
}

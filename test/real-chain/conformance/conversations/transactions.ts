import { setTimeout as delay } from 'node:timers/promises'
import { toHex } from '@cosmjs/encoding'
import { GetTxRequest, GetTxResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { account, base64, hashOf, RECIPIENT, send, sign, signAmino } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { at, type Network } from '../network.ts'
import { swap, transfer } from '../requests.ts'

/** Transactions that succeed, and what the node then says about them. */
export const transactions: Conversation = {
  name: 'transactions that succeed',
  async play(network, note) {
    const from = account('transactions')
    const broadcast = async (kind: string, tx: Uint8Array) =>
      network.call(`broadcast_tx_${kind}`, { tx: base64(tx) })

    const first = await sign(from, [send(from.address, RECIPIENT, 5)], { memo: 'first' })
    await network.nextBlock()
    note('sync', await broadcast('sync', first))
    note('the same again while it waits', await broadcast('sync', first))
    note('one that waits', await network.call('num_unconfirmed_txs'))
    note('the one that waits', await network.call('unconfirmed_txs'))
    const found = await included(network, first)
    note('tx', found.answer)
    note('tx with its proof', await network.call('tx', { hash: found.base64, prove: true }))
    note('tx in the path', await network.http(`/tx?hash=0x${hashOf(first)}`))
    note('tx in the path with its proof', await network.http(`/tx?hash=0x${hashOf(first)}&prove=true`))
    note('GetTx', await getTx(network, hashOf(first)))
    note('its block', await network.call('block', { height: found.height }))
    note('the results of its block', await network.call('block_results', { height: found.height }))
    note('the same again after its block', await broadcast('sync', first))
    note('the same again after its block, async', await broadcast('async', first))
    note('the same again after its block, commit', await broadcast('commit', first))

    const second = await sign(
      from,
      [send(from.address, RECIPIENT, 7), send(from.address, from.address, 1, 'uother')],
      { sequence: 1 }
    )
    note('async', await broadcast('async', second))
    note('two messages', (await included(network, second)).answer)

    await network.nextBlock()
    const third = await sign(from, [send(from.address, RECIPIENT, 7)], { sequence: 2 })
    note('commit', await broadcast('commit', third))
    await included(network, third)

    await network.nextBlock()
    const amino = await signAmino('transactions', { to: RECIPIENT, sequence: 3 })
    note('signed as Amino JSON, sent', await broadcast('sync', amino))
    note('signed as Amino JSON', (await included(network, amino)).answer)

    const fourth = await sign(from, [send(from.address, RECIPIENT, 8)], { sequence: 4 })
    const fifth = await sign(from, [send(from.address, RECIPIENT, 9)], { sequence: 5 })
    await network.nextBlock()
    await broadcast('async', fourth)
    // The mempools take transactions in the order in which their checks end.
    await delay(20)
    await broadcast('async', fifth)
    const last = await included(network, fifth)
    note(
      'the second of a block, with its proof',
      await network.call('tx', { hash: last.base64, prove: true })
    )
    note('the results of both', await network.call('block_results', { height: last.height }))
    const next = String(Number(last.height) + 1)
    await network.nextBlock()
    note('the block after it', await network.call('header', { height: next }))
  }
}

/** The answer of the tx service, decoded. The transaction in it is left out: `tx` has it as bytes. */
async function getTx(network: Network, hash: string): Promise<unknown> {
  const data = toHex(GetTxRequest.encode({ hash }).finish())
  const { body } = await network.call('abci_query', { path: '/cosmos.tx.v1beta1.Service/GetTx', data })
  const value = at(body, 'result', 'response', 'value')
  const { txResponse } = GetTxResponse.decode(Buffer.from(String(value), 'base64'))
  return (
    txResponse && {
      ...txResponse,
      height: String(txResponse.height),
      gasWanted: String(txResponse.gasWanted),
      gasUsed: undefined,
      tx: txResponse.tx?.typeUrl
    }
  )
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

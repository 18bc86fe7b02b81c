import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { moduleAddress } from '../../../packages/devnet/chain/addresses.ts'
import type { ChainEvent } from '../../../packages/devnet/chain/events.ts'
import { createTestChain, DENOM, sendMessage, sign } from '../../helpers/devnet/chain.ts'
import { test } from '../../helpers/tap.ts'

/** An event as `type{key=value, …}`. */
function show({ type, attributes }: ChainEvent): string {
  return `${type}{${attributes.map(({ key, value }) => `${key}=${value}`).join(', ')}}`
}

test('a transaction has the events, log and data of SDK 0.47, in their order', async t => {
  const { chain, alice, bob } = await createTestChain()
  const [a, b, collector] = [alice.address, bob.address, moduleAddress('fee_collector', 'service')]
  const bytes = await sign(alice, 0, [sendMessage(a, b, 5n), sendMessage(a, b, 7n)])
  t.match(chain.submitTx(bytes), { code: 0, log: '[]', gasWanted: 200000n })
  const [tx] = chain.produceBlock().txs
  const result = tx?.result
  const sent = (amount: bigint) => [
    `message{action=/cosmos.bank.v1beta1.MsgSend, sender=${a}, module=bank}`,
    `coin_spent{spender=${a}, amount=${amount}${DENOM}}`,
    `coin_received{receiver=${b}, amount=${amount}${DENOM}}`,
    `transfer{recipient=${b}, sender=${a}, amount=${amount}${DENOM}}`,
    `message{sender=${a}}`
  ]
  const events = result?.events.map(show) ?? []
  t.match(events[6], /^tx\{signature=[A-Za-z0-9+/]{86}==\}$/)
  t.strictSame(events.toSpliced(6, 1), [
    `coin_spent{spender=${a}, amount=2000${DENOM}}`,
    `coin_received{receiver=${collector}, amount=2000${DENOM}}`,
    `transfer{recipient=${collector}, sender=${a}, amount=2000${DENOM}}`,
    `message{sender=${a}}`,
    `tx{fee=2000${DENOM}, fee_payer=${a}}`,
    `tx{acc_seq=${a}/0}`,
    ...sent(5n),
    ...sent(7n)
  ])
  t.ok(result?.events.every(({ attributes }) => attributes.every(({ index }) => index)))

  const log: { msg_index: number; events: ChainEvent[] }[] = JSON.parse(result?.log ?? '')
  t.strictSame(
    log.map(({ msg_index, events }) => [msg_index, events.map(show)]),
    [
      [0, sent(5n)],
      [1, sent(7n)]
    ]
  )
  t.strictSame(log[0]?.events[4], { type: 'message', attributes: [{ key: 'sender', value: a }] })
  const { data, msgResponses } = TxMsgData.decode(result?.data ?? new Uint8Array())
  t.strictSame(data, [])
  t.strictSame(
    msgResponses.map(({ typeUrl }) => typeUrl),
    ['/cosmos.bank.v1beta1.MsgSendResponse', '/cosmos.bank.v1beta1.MsgSendResponse']
  )
})

test('with SDK 0.50 events name their message and the log is empty', async t => {
  const { chain, alice, bob } = await createTestChain({ sdk: '0.50' })
  const message = sendMessage(alice.address, bob.address, 5n)
  t.equal(chain.submitTx(await sign(alice, 0, [message, message])).log, '')
  const result = chain.produceBlock().txs[0]?.result
  t.match(result, { code: 0, log: '' })
  const marks = result?.events.map(
    ({ attributes }) => attributes.find(({ key }) => key === 'msg_index')?.value
  )
  t.strictSame(marks, [...Array(7).fill(undefined), ...Array(5).fill('0'), ...Array(5).fill('1')])
})

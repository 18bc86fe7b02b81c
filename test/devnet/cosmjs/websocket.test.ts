import { coins } from '@cosmjs/proto-signing'
import { Tendermint37Client } from '@cosmjs/tendermint-rpc'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CHAIN_ID, DENOM, startNode, webSocketClient } from '../../helpers/devnet/node.ts'
import { type Test, test } from '../../helpers/tap.ts'

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }

interface EventStream<T> {
  subscribe(listener: { next(event: T): void; error(error: unknown): void }): { unsubscribe(): void }
}

/** The next `count` events; ends the subscription after them. */
function take<T>(stream: EventStream<T>, count: number): Promise<T[]> {
  return new Promise((resolve, reject) => {
    const events: T[] = []
    const subscription = stream.subscribe({
      next(event) {
        events.push(event)
        if (events.length < count) return
        subscription.unsubscribe()
        resolve(events)
      },
      error: reject
    })
  })
}

/** A chain that makes blocks only when told, and a WebSocket client of it. */
async function start(t: Test) {
  const node = await startNode(t, { blockTimeMs: 3_600_000 })
  const signing = await node.connect()
  const client = Tendermint37Client.create(webSocketClient(node.wsUrl))
  t.teardown(() => client.disconnect())

  /** Puts a MsgSend into the mempool and returns its bytes. */
  async function submitSend(sequence: number, to: string): Promise<Uint8Array> {
    const value = { fromAddress: node.address, toAddress: to, amount: coins(1, DENOM) }
    const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
    const signerData = { accountNumber: 0n, sequence, chainId: CHAIN_ID }
    const tx = TxRaw.encode(await signing.sign(node.address, [message], FEE, '', signerData)).finish()
    node.chain.submitTx(tx)
    return tx
  }
  return { ...node, client, submitSend }
}

test('subscribeNewBlock', async t => {
  const { chain, client, submitSend, otherAddress } = await start(t)
  const blocks = take(client.subscribeNewBlock(), 2)
  // Requests of one connection are answered in order: after this one, the subscription is active.
  await client.health()
  const tx = await submitSend(0, otherAddress)
  chain.produceBlock()
  chain.produceBlock()
  const [second, third] = await blocks
  t.match(second, {
    header: { chainId: CHAIN_ID, height: 2, time: Date },
    lastCommit: { height: 1 },
    txs: [tx]
  })
  t.match(third, { header: { height: 3 }, txs: [] })
  t.strictSame(second, (await client.block(2)).block)
})

test('subscribeNewBlockHeader, ended and started again', async t => {
  const { chain, client } = await start(t)
  const stream = client.subscribeNewBlockHeader()
  for (const height of [2, 3]) {
    const headers = take(stream, 1)
    await client.health()
    chain.produceBlock()
    const [header] = await headers
    t.strictSame(header, (await client.block(height)).block.header)
    // CosmJS unsubscribes a moment after the last listener is removed.
    await new Promise(resolve => setImmediate(resolve))
    await client.health()
  }
})

test('subscribeTx, with and without conditions', async t => {
  const { chain, client, submitSend, address, otherAddress } = await start(t)
  const all = take(client.subscribeTx(), 2)
  const own = take(client.subscribeTx(`transfer.recipient='${address}' AND message.module='bank'`), 1)
  await client.health()
  const txs = [await submitSend(0, otherAddress), await submitSend(1, address)]
  chain.produceBlock()
  const events = await all
  t.strictSame(
    events.map(({ tx, height }) => ({ tx, height })),
    txs.map(tx => ({ tx, height: 2 }))
  )
  t.strictSame(
    events.map(({ result }) => result),
    (await client.blockResults(2)).results
  )
  t.strictSame(
    (await own).map(({ tx }) => tx),
    txs.slice(1)
  )
})

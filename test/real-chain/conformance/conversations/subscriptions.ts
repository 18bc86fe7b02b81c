import { account, base64, RECIPIENT, send, sign } from '../accounts.ts'
import type { Conversation } from '../conversation.ts'
import { included } from '../included.ts'
import { at, type Socket } from '../network.ts'

const NEW_BLOCK = "tm.event='NewBlock'"
const NEW_BLOCK_HEADER = "tm.event = 'NewBlockHeader'"

/** Events over WebSocket. */
export const subscriptions: Conversation = {
  name: 'subscriptions',
  async play(network, note) {
    const from = account('events')
    const socket = await network.connect()
    const ask = async (step: string, method: string, params: object = {}) =>
      note(step, await socket.ask(step, method, params))

    await ask('health', 'health')
    await ask('a block by height', 'block', { height: '1' })
    await ask('an unknown method', 'nothing')
    await ask('params of a wrong type', 'block', { height: 1 })
    await ask('a bad query: none', 'subscribe')
    await ask('a bad query', 'subscribe', { query: 'nonsense' })
    await ask('a long query', 'subscribe', { query: `tx.hash='${'a'.repeat(600)}'` })
    await ask('a query of a wrong type', 'subscribe', { query: 5 })
    await ask('unsubscribe from nothing', 'unsubscribe', { query: NEW_BLOCK })
    await ask('unsubscribe with a bad query', 'unsubscribe', { query: 'nonsense' })
    await ask('unsubscribe from all of nothing', 'unsubscribe_all')

    const events = async (step: string, query: string, count: number, then?: () => Promise<unknown>) => {
      await network.nextBlock()
      await ask(`${step}, subscribed`, 'subscribe', { query })
      await then?.()
      for (let index = 0; index < count; index++) note(`${step}, event ${index}`, await socket.next())
      await ended(socket, query, answer => note(`${step}, unsubscribed`, answer))
    }
    await events('new blocks', NEW_BLOCK, 1)
    await events('new headers', NEW_BLOCK_HEADER, 1)
    if (network.sdk === '0.53') await events("new blocks' events", "tm.event='NewBlockEvents'", 1)
    let sequence = 0
    const pay = async () => {
      const tx = await sign(from, [send(from.address, RECIPIENT, 3)], { sequence: sequence++ })
      await network.call('broadcast_tx_sync', { tx: base64(tx) })
      await included(network, tx)
    }
    await events('transactions', "tm.event='Tx'", 1, pay)
    await events(
      'transactions of an account',
      `tm.event='Tx' AND coin_spent.spender='${from.address}'`,
      1,
      pay
    )
    await events('transactions with an amount', `tm.event='Tx' AND transfer.amount='3uSERVICE'`, 1, pay)
    await events('transactions of nobody', "tm.event='Tx' AND coin_spent.spender='nobody'", 0, pay)
    await events('transactions above a height', "tm.event='Tx' AND tx.height>1", 1, pay)

    const queries = [1, 2, 3, 4, 5, 6].map(height => `tm.event='Tx' AND tx.height=${height}`)
    for (const [index, query] of queries.entries()) await ask(`subscription ${index}`, 'subscribe', { query })
    await ask('one of them again', 'subscribe', { query: queries[0] })
    await ask('one ended', 'unsubscribe', { query: queries[0] })
    await ask('one ended twice', 'unsubscribe', { query: queries[0] })
    await ask('another one again', 'subscribe', { query: queries[1] })
    await ask('with other spaces', 'subscribe', { query: queries[1]?.replaceAll('=', ' = ') })
    await ask('all ended', 'unsubscribe_all')
    await ask('all ended twice', 'unsubscribe_all')
    socket.close()

    note('subscribe over HTTP', await network.call('subscribe', { query: NEW_BLOCK }))
    note('subscribe in the path', await network.http(`/subscribe?query="${NEW_BLOCK}"`))
    note('unsubscribe over HTTP', await network.call('unsubscribe_all'))
    note('the path of the sockets over HTTP', await network.http('/websocket'))
  }
}

/** Unsubscribes. Events that were on their way come before the answer. */
async function ended(socket: Socket, query: string, note: (answer: unknown) => void): Promise<void> {
  let answer = await socket.ask('end', 'unsubscribe', { query })
  while (at(answer, 'id') !== 'end') answer = await socket.next()
  note(answer)
}

/** What a client can do wrong on a WebSocket. */
export const brokenSockets: Conversation = {
  name: 'malformed messages on a WebSocket',
  async play(network, note) {
    const socket = await network.connect()
    const answered = async (step: string, text: string) => {
      socket.send(text)
      note(step, await socket.next())
    }
    await answered('no JSON', 'hello')
    await answered('cut off', '{"jsonrpc":"2.0","id":1')
    await answered('an array', '[{"jsonrpc":"2.0","id":1,"method":"health"}]')
    await answered('a number', '5')
    await answered('a method that is no text', '{"jsonrpc":"2.0","id":1,"method":5}')
    await answered('an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"health"}')
    await answered('no params', '{"jsonrpc":"2.0","id":1,"method":"health"}')
    await answered('params null', '{"jsonrpc":"2.0","id":1,"method":"health","params":null}')
    await answered('params in an array', '{"jsonrpc":"2.0","id":1,"method":"block","params":["1"]}')
    await answered('too many params', '{"jsonrpc":"2.0","id":1,"method":"block","params":["1","2"]}')
    await answered('params in a text', '{"jsonrpc":"2.0","id":1,"method":"block","params":"1"}')
    await answered('text behind the request', '{"jsonrpc":"2.0","id":1,"method":"health"} x')
    socket.send('{"jsonrpc":"2.0","method":"health"}')
    await answered('after a notification', '{"jsonrpc":"2.0","id":"next","method":"health"}')
    await answered('the empty id', '{"jsonrpc":"2.0","id":"","method":"health"}')
    socket.send(`{"jsonrpc":"2.0","id":1,"method":"health","x":"${'a'.repeat(1_100_000)}"}`)
    await socket.closed
    note('too long', 'closed')
  }
}

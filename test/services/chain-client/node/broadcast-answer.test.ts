import { NodeUnavailableError, RpcError } from '../../../../services/chain-client/errors.ts'
import { readBroadcastAnswer, readBroadcastError } from '../../../../services/chain-client/node/index.ts'
import { test } from '../../../helpers/tap.ts'

test('code 0 is an acceptance, every other code a refusal', async t => {
  t.strictSame(readBroadcastAnswer({ code: 0 }), { status: 'accepted' })
  t.strictSame(readBroadcastAnswer({ code: 32, codespace: 'sdk', log: 'no' }), {
    status: 'refused',
    code: 32,
    codespace: 'sdk',
    log: 'no'
  })
  t.strictSame(readBroadcastAnswer({ code: 5 }), { status: 'refused', code: 5, codespace: '', log: '' })
})

test('bytes in the cache are known by their text, every other error is no usable answer', async t => {
  const rpcError = (data: string) => new RpcError(-32603, 'Internal error', data, text => text)
  t.strictSame(readBroadcastError(rpcError('tx already exists in cache')), { status: 'known' })
  for (const text of [
    'Tx too large. Max size is 1, but got 2',
    'mempool is full: number of txs 5000',
    'no'
  ]) {
    t.match(readBroadcastError(rpcError(text)), {
      status: 'unavailable',
      reason: new RegExp(text),
      answered: true
    })
  }
  const silence = new NodeUnavailableError('node.example', new Error('tx already exists in cache'))
  t.match(readBroadcastError(silence), { status: 'unavailable', reason: /node\.example/, answered: false })
})

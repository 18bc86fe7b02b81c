import { NodeUnavailableError, RpcError } from '../../../../services/chain-client/errors.ts'
import {
  readBroadcastAnswer,
  readBroadcastError
} from '../../../../services/chain-client/node/broadcast-answer.ts'
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

test('a transaction that is larger than the whole mempool is too large', async t => {
  const full = (max: string) =>
    new RpcError(
      -32603,
      'Internal error',
      `mempool is full: number of txs 0 (max: 5000), total txs bytes 0 (max: ${max})`,
      text => text
    )
  t.match(readBroadcastError(full('99'), 100), { status: 'refused', code: 21, codespace: 'sdk' })
  for (const max of ['100', '1073741824', '99999999999999999999', '-1', '']) {
    t.match(readBroadcastError(full(max), 100), { status: 'unavailable' }, max)
  }
})

test('an error of the mempool is read from its text, every other error is no answer', async t => {
  const rpcError = (data: string) => new RpcError(-32603, 'Internal error', data, text => text)
  t.strictSame(readBroadcastError(rpcError('tx already exists in cache'), 100), { status: 'known' })
  t.match(readBroadcastError(rpcError('Tx too large. Max size is 1, but got 2'), 100), {
    status: 'refused',
    code: 21,
    codespace: 'sdk'
  })
  t.match(readBroadcastError(rpcError('mempool is full: number of txs 5000'), 100), {
    status: 'unavailable',
    reason: /mempool is full/
  })
  const silence = new NodeUnavailableError('node.example', new Error('tx already exists in cache'))
  t.match(readBroadcastError(silence, 100), { status: 'unavailable', reason: /node\.example/ })
})

import type { ServerResponse } from 'node:http'
import { createChainClient } from '../../../../services/chain-client/index.ts'
import { startNetwork } from '../../../helpers/app.ts'
import { json, type SeenRequest, serve } from '../../../helpers/local-server.ts'
import { startRewritingNode } from '../../../helpers/rewriting-node.ts'
import { type Test, test } from '../../../helpers/tap.ts'

function clientOf(t: Test, node: string) {
  const client = createChainClient({ nodes: [node], timeoutMs: 2000 })
  t.teardown(() => client.close())
  return client
}

test('a word of the node in the path of its URL changes nothing', async t => {
  const devnet = await startNetwork(t)
  const url = await startRewritingNode(t, devnet.urls.rpc, () => undefined)
  const client = clientOf(t, `${url}/blockchain/current/exists`)
  t.equal(await client.block(1_000_000), undefined, 'a block that does not exist yet')
})

const KEY = '0123456789abcdef'
const ERRORS: [string, (request: SeenRequest, response: ServerResponse) => void, RegExp][] = [
  [
    'a JSON-RPC error',
    ({ url, body }, r) => {
      const error = { code: -32603, message: `Internal error at ${url}`, data: `no ${url}` }
      json(r, { jsonrpc: '2.0', id: JSON.parse(body).id, error })
    },
    /^RPC node 127\.0\.0\.1:\d+ is unavailable: Internal error at \[secret\] \(-32603\): no \[secret\]$/
  ],
  [
    'a text that is not JSON',
    (_q, r) => r.end(KEY),
    /^RPC node 127\.0\.0\.1:\d+ is unavailable: the response is not JSON$/
  ],
  [
    'JSON that is no answer',
    ({ url }, r) => json(r, { jsonrpc: '2.0', id: url, result: url }),
    /^RPC node 127\.0\.0\.1:\d+ is unavailable: /
  ]
]
for (const [name, answer, message] of ERRORS) {
  test(`an error from ${name} is without the key of the URL`, async t => {
    const { url } = await serve(t, answer)
    const error = await clientOf(t, `${url}/${KEY}`)
      .status()
      .catch(reason => reason)
    t.match(error.message, message)
    for (const text of [error.message, error.stack, error.data ?? '']) t.notMatch(text, /0123|cdef/)
  })
}

import { test } from 'tap'
import { build, startNetwork } from '../helpers/app.ts'
import { swapBody } from '../helpers/transfer-flow.ts'
import { until } from '../helpers/until.ts'

test('a closing server accepts no submission, and answers those that wait', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const post = () =>
    fetch(`${url}/submit/swap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(swapBody())
    })

  devnet.chain.pause()
  const waiting = post()
  await until(() => server.submissions.health().unsettled === 1, 'a submission waits for its block')
  const closed = server.close()
  const closing = async () => (await fetch(`${url}/health`)).headers.get('connection') === 'close'
  await until(closing, 'the server is closing')

  const refused = await post()
  t.equal(refused.headers.get('retry-after'), '5')
  t.match(await refused.json(), { statusCode: 503, code: 'INTAKE_CLOSED' })
  devnet.chain.resume()
  t.match(await (await waiting).json(), { txId: 1, code: 0 })
  await closed
})

test('a closed server leaves the chain and the log alone', async t => {
  const devnet = await startNetwork(t)
  const lines: string[] = []
  const server = await build(t, { LOG_LEVEL: 'warn' }, { devnet, logTo: line => lines.push(line) })
  await server.close()
  const height = devnet.chain.height + 5
  await until(() => devnet.chain.height >= height, 'the chain has five more blocks')
  t.same(lines, [])
})

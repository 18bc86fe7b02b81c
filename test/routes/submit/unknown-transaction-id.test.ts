import { build, startNetwork } from '../../helpers/app.ts'
import { type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'

test('commits an executed transfer once, without a txId, if its result has no readable id', async t => {
  const devnet = await startNetwork(t, { control: true })
  let isDamaging = true
  const node = await startRewritingNode(t, devnet.urls.rpc, (method, result): RpcResult | undefined => {
    const results = result['txs_results']
    if (!isDamaging || method !== 'block_results' || !Array.isArray(results)) return undefined
    return {
      ...result,
      txs_results: results.map((each: object) => ({ ...each, data: '////', log: '{"cut' }))
    }
  })
  const lines: string[] = []
  const env = { SERVICE_BACKEND_NODE_PROVIDER: node, LOG_LEVEL: 'error' }
  const server = await build(t, env, { devnet, logTo: line => lines.push(line) })
  const body = await transferBody(server)

  // Pause the chain, because the header of the next block would contradict the damaged result.
  devnet.control.pause()
  const responded = submit(server, body)
  await until(() => devnet.chain.mempool.size === 1, 'the transaction waits for its block')
  devnet.control.produceBlocks(1)
  const response = await responded
  t.equal(response.statusCode, 202)
  const { submissionId } = response.json()
  t.strictSame(response.json(), { submissionId, status: 'committed' })

  const record = (await server.inject(`/submissions/${submissionId}`)).json()
  t.match(record, { status: 'committed', transactionHash: /^[0-9A-F]{64}$/, height: Number })
  t.notOk('txId' in record)
  const logged = lines.map(line => JSON.parse(line)).filter(entry => entry.submissionId === submissionId)
  const { transactionHash: hash, height } = record
  t.match(logged, [{ level: 50, hash, height, msg: /returned no readable transaction id/ }])
  await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return /1 committed without a transaction id\b/.test(checks.engine.detail)
  }, 'the engine has caught up and reports the missing id')

  t.same((await submit(server, body)).json(), response.json(), 'a retry returns the same response')
  const other = await submit(server, { ...body, htlcVersion: 'other' })
  t.match(other.json(), { code: 'QUOTE_ALREADY_USED' }, 'its feeId stays used')

  isDamaging = false
  devnet.control.resume()
  t.match((await submit(server, await transferBody(server))).json(), { txId: 2 }, 'a later transfer succeeds')
  t.equal((await server.inject('/tx/3/status')).statusCode, 404, 'nothing was executed twice')
})

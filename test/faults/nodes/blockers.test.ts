import { toBase64 } from '@cosmjs/encoding'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { build, startNetwork, untilReady } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork, tally } from '../faulty-network.ts'

const asksFor = (path: string, method: string, params: Record<string, unknown>) =>
  method === 'abci_query' && String(params['path']).endsWith(path)

/** Starts a server behind a node whose responses are rewritten. */
async function serverBehind(t: Test, rewrite: Rewrite) {
  const devnet = await startNetwork(t, { blockTimeMs: 100 })
  const node = await startRewritingNode(t, devnet.urls.rpc, rewrite)
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER: node }, { devnet })
  const untilNamed = (check: 'signer' | 'engine', detail: string) =>
    until(async () => {
      const response = await server.inject('/ready')
      const { checks } = response.json()
      return checks[check].detail === detail && { status: response.statusCode, ...checks[check] }
    }, `/ready names ${detail}`)
  return { server, untilNamed }
}

test('/ready reports that nodes refuse every simulation, until they accept them again', async t => {
  let isRefusing = true
  const { server, untilNamed } = await serverBehind(t, (method, _result, params) =>
    isRefusing && asksFor('/Simulate', method, params)
      ? { response: { code: 13, codespace: 'sdk', log: 'no fee coin provided: insufficient fee', value: '' } }
      : undefined
  )
  t.match(await untilNamed('engine', 'simulations-refused'), {
    status: 503,
    action: /^Ask the operator of the nodes/
  })
  isRefusing = false
  await untilReady(server)
  t.equal((await submit(server, await transferBody(server))).statusCode, 200)
})

test('intake closes before the first submission if the required price is too high', async t => {
  const value = ConfigResponse.encode(ConfigResponse.fromPartial({ minimumGasPrice: '0.2uSERVICE' })).finish()
  const { server, untilNamed } = await serverBehind(t, (method, _result, params) =>
    asksFor('Service/Config', method, params)
      ? { response: { height: '5', value: toBase64(value) } }
      : undefined
  )
  t.match(await untilNamed('signer', 'price-refused'), {
    status: 503,
    action: /^Correct SERVICE_GAS_PRICE or its denomination/
  })
  t.match((await submit(server, await transferBody(server))).json(), { code: 'INTAKE_CLOSED' })
})

test('a node that accepts transactions but includes none is reported', async t => {
  let isSwallowing = true
  const swallow: Rewrite = method =>
    isSwallowing && method === 'broadcast_tx_sync' ? { code: 0, data: '', log: '', hash: 'AB' } : undefined
  const { submit, untilBlocked, assertExactlyOnce, engine } = await startFaultyNetwork(t, {
    network: { blockTimeMs: 500 },
    engine: PATIENT,
    nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, swallow, ['broadcast_tx_sync'])]
  })
  await submit()
  t.match(await untilBlocked('transactions-ignored'), /^127\.0\.0\.1:\d+ accepted transaction [0-9A-F]{64}/)
  isSwallowing = false
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
  await until(() => engine.health().blockers.length === 0, 'no blocker is left')
})

test('a server with an older store accepts nothing until it has read the latest blocks', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 50, control: true })
  const first = await startEngine(t, devnet)
  await until(() => first.engine.health().height !== undefined, 'the account is stored')
  await first.stop()
  const { directory } = first
  const { height } = devnet.chain
  await until(() => devnet.chain.height > height + 20, 'the chain has gone on')
  let isSlow = true
  const node = await startRewritingNode(t, devnet.urls.rpc, async (method, _result, params) => {
    if (method === 'block' && Number(params['height']) > height + 10) await until(() => !isSlow, 'released')
    return undefined
  })
  const { engine, submit } = await startEngine(t, devnet, { directory, nodes: [node], timeoutMs: 60_000 })
  t.match(engine.health().blockers, [{ kind: 'catching-up', reason: /^reading blocks \d+ to \d+$/ }])
  await t.rejects(submit('fee-1'), { code: 'INTAKE_CLOSED', message: /latest blocks/ })
  isSlow = false
  await until(() => engine.health().blockers.length === 0, 'the engine has caught up')
  t.match(await submit('fee-1'), { status: 'queued' })
})

import type { Devnet } from '../../packages/devnet/index.ts'
import { build, startNetwork, untilReady, type Variables } from '../helpers/app.ts'
import { untilSample } from '../helpers/metrics.ts'
import { test } from '../helpers/tap.ts'
import { cardBody, submit } from '../helpers/transfer.ts'
import { until } from '../helpers/until.ts'

test('/ready passes while all dependencies respond', async t => {
  const server = await build(t)
  await untilReady(server)
  const ok = { ok: true }
  const checks = { store: ok, rpc: ok, chainApi: ok, signer: ok, engine: ok }
  t.match((await server.inject('/ready')).json(), { ready: true, checks })
  for (const name of ['service_ready', 'service_node_usable'])
    await untilSample(server, name, {}, value => value === 1)
})

test('/ready reports a dependency that does not respond, and /health still returns ok', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, { SERVICE_BACKEND_NODE_PROVIDER_QUERY: 'http://127.0.0.1:1' }, { devnet })
  const response = await server.inject('/ready')
  t.equal(response.statusCode, 503)
  const chainApi = { ok: false, detail: 'unavailable', action: String }
  t.match(response.json(), { ready: false, checks: { chainApi, rpc: { ok: true }, store: { ok: true } } })
  t.equal((await server.inject('/health')).body, 'ok')

  await devnet.close()
  const rpc = await until(async () => {
    const { checks } = (await server.inject('/ready')).json()
    return !checks.rpc.ok && checks.rpc
  }, 'the node counts as unhealthy')
  t.match(rpc, { detail: '0 of 1 nodes healthy', action: String })
  await untilSample(server, 'service_check_passed', { check: 'rpc' }, value => value === 0)
  await untilSample(server, 'service_node_usable', { use: 'sending' }, value => value === 0)
})

type Row = [what: string, env: (urls: Devnet['urls']) => Variables, log: RegExp, ready?: RegExp]
const priced = (SERVICE_GAS_PRICE: string) => () => ({ SERVICE_GAS_PRICE })
const prefix = () => ({ SERVICE_SIGNER_ADDRESS: 'acme15yk64u7zc9g9k2yr2wmzeva5qgwxps6yzdjluy' })
const rpcNode = ({ rest }: Devnet['urls']) => ({ SERVICE_BACKEND_NODE_PROVIDER: rest })
const noBalance = /"level":50,.*"uOTHER".*"msg":"the wallet has no balance in the fee denomination: /
/** Signs in docs/chain-operator.md: of the log, and of /ready. */
const WRONG: Row[] = [
  ['denomination', priced('0.025uOTHER'), noBalance, /"signer":{"ok":false,"detail":"insufficient-funds"/],
  ['prefix', prefix, /begins with acme, but/, /"signer":{"ok":false,"detail":"wallet-unknown"/],
  ['RPC node', rpcNode, /"msg":"RPC node skipped"/, /"rpc":{"ok":false,"detail":"0 of 1 nodes healthy/],
  ['gas price', priced('0.003'), /"slot signed again: the node requires a higher fee"/]
]

for (const [what, env, log, ready = /./] of WRONG)
  test(`a wrong ${what} shows in the log or /ready`, async t => {
    const devnet = await startNetwork(t)
    const lines: string[] = []
    const variables = { LOG_LEVEL: 'info', ...env(devnet.urls) }
    const server = await build(t, variables, { devnet, logTo: line => lines.push(line) })
    // The other signs show before the first submission.
    if (what === 'gas price') await submit(server, cardBody())
    const isShown = async () => ready.test((await server.inject('/ready')).body)
    await until(
      async () => lines.some(line => log.test(line)) && (await isShown()),
      `the signs of a wrong ${what}`
    )
    t.pass(what)
  })

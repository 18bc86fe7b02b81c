import { toBase64 } from '@cosmjs/encoding'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { build, startNetwork, testEnv, untilReady } from '../helpers/app.ts'
import { json, serve } from '../helpers/local-server.ts'
import { operatorTool, parsed } from '../helpers/operator.ts'
import { runSql, startPostgres } from '../helpers/postgres.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../helpers/rewriting-node.ts'
import { startServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'
import { receiveWebhooks } from '../helpers/webhook-receiver.ts'

const AWAY = 'http://127.0.0.1:1'
const QUERY = 'SERVICE_BACKEND_NODE_PROVIDER_QUERY'
const OTHERS = 'other15yk64u7zc9g9k2yr2wmzeva5qgwxps6y3e9phu'

test('doctor finds no problem in a working network, and changes nothing', async t => {
  const devnet = await startNetwork(t)
  const receiver = await receiveWebhooks(t)
  const rpc = await startRewritingNode(t, devnet.urls.rpc, () => undefined)
  const nodes = { SERVICE_BACKEND_NODE_PROVIDER: `${devnet.urls.rpc},${rpc}` }
  const tool = operatorTool(t, devnet, { ...receiver.env, ...nodes })
  const { code, out } = await tool('doctor')
  t.equal(code, 0, out)
  t.match(out, /^Problems: 0\. Warnings: 0\.$/m)
  const services = ['chain API', 'fee service', 'GraphQL index', 'webhook']
  for (const about of ['wallet', 'store', 'node 127', 'nodes', 'clock', ...services])
    t.match(out, new RegExp(`^✓ ${about}`, 'm'))
  t.match(receiver.events, [{ type: 'webhook.test' }])
})

test('doctor reports upstreams that are down, wrong or on another chain, with advice', async t => {
  const devnet = await startNetwork(t)
  const { rpc } = devnet.urls
  const silent = await serve(t, () => {})
  const page = await serve(t, (_request, response) => response.end('<html>'))
  const other = await serve(t, (request, response) =>
    request.method === 'POST'
      ? json(response, { jsonrpc: '2.0', id: 1, result: '0x1' })
      : json(response, { default_node_info: { network: `other-1 ${request.url}` } })
  )
  const within = (result: RpcResult, part: string, change: object) => ({
    ...result,
    [part]: { ...Object(result[part]), ...change }
  })
  const nodeWith = (change: Rewrite) => startRewritingNode(t, rpc, change)
  const reporting = (part: string, change: object) =>
    nodeWith((method, result) => (method === 'status' ? within(result, part, change) : undefined))
  const foreign = await reporting('node_info', { network: 'other-1' })
  const lying = await nodeWith((method, result) => {
    if (method !== 'block') return undefined
    return within(result, 'block', within(Object(result['block']), 'header', { app_hash: 'AA'.repeat(32) }))
  })
  const newestAt = (aheadMs: number) =>
    reporting('sync_info', { latest_block_time: new Date(Date.now() + aheadMs).toISOString() })
  const [late, stale] = [await newestAt(60_000), await newestAt(-120_000)]
  const ahead = await reporting('sync_info', { latest_block_height: '1000' })
  const syncing = await reporting('sync_info', { catching_up: true })
  const { encode, fromPartial } = ConfigResponse
  function requiring(minimumGasPrice: string) {
    const response = { height: '5', value: toBase64(encode(fromPartial({ minimumGasPrice })).finish()) }
    return nodeWith((_method, _result, { path }) =>
      /Service\/Config$/.test(`${path}`) ? { response } : undefined
    )
  }
  const [dear, dearer] = [await requiring('0.1uSERVICE'), await requiring('0.2uSERVICE')]
  const honest = await nodeWith(() => undefined)
  const receiver = (await receiveWebhooks(t)).env
  const host = (url: string) => url.replace('http://', '')
  const nodes = (...urls: string[]) => ({ SERVICE_BACKEND_NODE_PROVIDER: urls.join() })
  const line = (start: string) => new RegExp(`^${start}`, 'm')

  const cases: [variables: Record<string, string>, expected: RegExp][] = [
    [nodes(rpc, AWAY), /^✗ node 127\.0\.0\.1:1: .+\n {4}Check the URLs/m],
    [nodes(rpc, silent.url), line(`✗ node ${host(silent.url)}: `)],
    [nodes(foreign, rpc, honest), line(`✗ node ${host(foreign)}: chain other-1, not `)],
    [nodes(rpc, lying), line(`[!✗] node(s|.*${host(lying)}).*block`)],
    [nodes(rpc, ahead), line(`! node ${host(rpc)}: block \\d+ of 1000: it is behind`)],
    [nodes(syncing), line(`! node ${host(syncing)}: block .+: it is behind`)],
    [nodes(late), /^✗ clock: the newest block is \d+ s ahead/m],
    [nodes(stale), /^! clock: the newest block is \d+ s old/m],
    [{ SERVICE_GAS_PRICE: '0.025uother' }, /^✗ node .+: .*uother/m],
    [nodes(dear), /^! node .+: requires 0\.1uSERVICE, .+ is 0\.025uSERVICE\n {4}Raise SERVICE_GAS_PRICE/m],
    [nodes(dearer), /^✗ node .+: requires 0\.2uSERVICE, .+ is 0\.025.+\n {4}Correct SERVICE_GAS_PRICE/m],
    [{ SERVICE_BACKEND_MNEMONIC: OTHER_WALLET }, /^✗ node .+\n {4}Have .* whitelist the address \w+1\w{38}/m],
    [{ SERVICE_SIGNER_ADDRESS: OTHERS }, /^✗ node .+: addresses on this chain begin with/m],
    [{ SERVICE_DAILY_FEE_LIMIT: '9'.repeat(30) }, /^! node .+below SERVICE_DAILY_FEE_LIMIT/m],
    [{ [QUERY]: AWAY }, /^✗ chain API 127\.0\.0\.1:1: .+\n {4}Correct SERVICE_BACKEND_NODE_PROVIDER_QUERY/m],
    [{ [QUERY]: `${other.url}/secret-path` }, /^✗ chain API .+ is on chain other-1 .+, but the nodes/m],
    [{ SERVICE_BACKEND_FEE_URL: page.url }, /^✗ fee service .+not JSON/m],
    [{ SERVICE_BACKEND_NODE_PROVIDER_GRAPHQL: AWAY }, /^✗ GraphQL index 127\.0\.0\.1:1/m],
    [{ SERVICE_EVM_RPC: `{"POL":"${other.url}"}` }, /^✗ RPC of POL .+ is on chain 1, but POL on testnet is/m],
    [{ BTC_API_URL: page.url }, /^✗ Bitcoin API/m],
    [{ COMPLIANCE_URL: AWAY }, /^✗ compliance provider: /m],
    [{ KYC_URL: AWAY, KYC_API_KEY: 'a-key-that-is-secret' }, /^✗ KYC provider: /m],
    [{ ...receiver, SERVICE_WEBHOOK_URL: `${AWAY}/secret-path` }, /^✗ webhook receiver: /m],
    [{ ...receiver, SERVICE_WEBHOOK_URL: silent.url }, /^✗ webhook receiver: no response within 7 s$/m],
    [{ NODE_ENV: 'production', DOMAIN: 'http://localhost' }, /^! DOMAIN: http:\/\/localhost in production/m],
    [{ SERVICE_DATA_DIR: '/dev/null/data' }, /^✗ store: /m],
    [{ DATABASE_URL: 'postgres://user:a-password-1@127.0.0.1:1/db' }, /^✗ store: .*cannot be reached/m]
  ]
  for (const [variables, expected] of cases) {
    const { code, out, err } = await operatorTool(t, devnet, variables)('doctor')
    t.match(out, expected, `${Object.keys(variables)}: ${out}${err}`)
    t.equal(code, expected.source.startsWith('^!') ? 0 : 1, `${expected}`)
    t.notMatch(out + err, /a-key-that-is-secret|secret-path|a-password-1/)
  }
})

test('doctor reports missing database privileges, and identity sequences that are behind', async t => {
  const postgres = await startPostgres(t)
  const url = await postgres.createDatabase()
  const devnet = await startNetwork(t)
  const tool = operatorTool(t, devnet, { DATABASE_URL: url })
  const empty = await tool('doctor')
  t.match(empty, { code: 0, out: /^✓ store: empty: the first server creates the tables$/m }, empty.out)
  const server = await build(t, { DATABASE_URL: url }, { devnet })
  await untilReady(server)
  await server.close()
  t.match(await tool('doctor'), { code: 0, out: /^✓ store: chain \S+, read up to block \d+$/m })

  await runSql(url, 'ALTER TABLE wallet ALTER COLUMN wallet_id RESTART')
  t.match(await tool('doctor'), { code: 0, out: /^! store: identity sequences are behind.+: wallet$/m })
  await runSql(url, "CREATE ROLE reader LOGIN PASSWORD 'reader'")
  await runSql(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader')
  const limited = Object.assign(new URL(url), { username: 'reader', password: 'reader' }).href
  const out = /^✗ store: the user has no right to: wallet INSERT, .*quote DELETE/m
  t.match(await operatorTool(t, devnet, { DATABASE_URL: limited })('doctor'), { code: 1, out })
})

test('doctor --url checks a running service from outside', async t => {
  const devnet = await startNetwork(t)
  const server = await build(t, {}, { devnet })
  await untilReady(server)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const tool = operatorTool(t, devnet, { DOMAIN: 'https://shop.example:443' })
  const { SERVICE_DATA_DIR } = server.config
  const another = operatorTool(t, devnet, { SERVICE_DATA_DIR, SERVICE_BACKEND_MNEMONIC: OTHER_WALLET })
  t.match(await another('doctor'), { code: 1, out: /^✗ store: belongs to the wallet \w+1/m })
  t.match(await tool('doctor', '--url', url), { code: 0, out: /^✓ service 127\.0\.0\.1:\d+: ready$/m })
  const page = operatorTool(t, devnet, { DOMAIN: 'https://other.example' })
  t.match(await page('doctor', '--url', url), { code: 1, out: /^✗ DOMAIN: .+ does not allow the page/m })
  const away = await tool('doctor', '--url', 'https://127.0.0.1:1', '--json')
  t.equal(away.code, 1)
  const problems = parsed(away.out).filter(({ level }) => level === 'problem')
  t.match(problems, [{ about: 'service 127.0.0.1:1' }, { about: 'DOMAIN' }, { about: 'TRUST_PROXY' }])
  t.match(await tool('doctor', '--url', 'ftp://x'), { code: 2 })
})

test('a starting server logs configuration problems once, with the host', async t => {
  const devnet = await startNetwork(t)
  const fee = { SERVICE_BACKEND_FEE_URL: `${AWAY}/secret-path` }
  const server = await startServer(t, testEnv(t, devnet, { ...fee, PATH: process.env['PATH'] ?? '' }))
  const [line = ''] = await server.saw(/^.*something is wrong with the configuration.*$/m)
  const problem = { about: 'fee service 127.0.0.1:1', level: 'problem', action: String }
  t.match(JSON.parse(line).findings, [{ about: 'nodes', level: 'warning' }, problem])
  t.notMatch(line, /secret-path/)
})

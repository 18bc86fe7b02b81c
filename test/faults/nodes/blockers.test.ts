import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { build, startNetwork } from '../../helpers/app.ts'
import { fastClock } from '../../helpers/clock.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Rewrite, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { submit, transferBody } from '../../helpers/transfer-flow.ts'
import { until } from '../../helpers/until.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

const asksFor = (path: string, method: string, params: Record<string, unknown>) =>
  method === 'abci_query' && String(params['path']).endsWith(path)

/** Starts a server behind a node whose responses are rewritten. */
async function serverBehind(t: Test, rewrite: Rewrite, withheld: string[] = []) {
  const devnet = await startNetwork(t, { blockTimeMs: 100, control: true })
  const node = await startRewritingNode(t, devnet.urls.rpc, rewrite, withheld)
  const lines: string[] = []
  const settings = { SERVICE_BACKEND_NODE_PROVIDER: node, LOG_LEVEL: 'info' }
  const server = await build(t, settings, { devnet, logTo: line => lines.push(line) })
  const ready = async () => {
    const response = await server.inject('/ready')
    return { status: response.statusCode, checks: response.json().checks }
  }
  return {
    devnet,
    server,
    lines,
    ready,
    untilNamed: (check: 'signer' | 'engine', detail: string) =>
      until(async () => {
        const { status, checks } = await ready()
        return checks[check].detail === detail && { status, ...checks[check] }
      }, `/ready names ${detail}`)
  }
}

test('/ready reports that nodes refuse every simulation, and submissions are executed once nodes accept them', async t => {
  let isRefusing = true
  const { server, untilNamed, ready } = await serverBehind(t, (method, _result, params) =>
    isRefusing && asksFor('/Simulate', method, params)
      ? { response: { code: 13, codespace: 'sdk', log: 'no fee coin provided: insufficient fee', value: '' } }
      : undefined
  )
  t.match(await untilNamed('engine', 'simulations-refused'), {
    status: 503,
    action: /^Ask the operator of the nodes/
  })
  isRefusing = false
  await until(async () => (await ready()).status === 200, 'the server is ready')
  t.equal((await submit(server, await transferBody(server))).statusCode, 200)
})

test('/ready shows for a while that another program signs with the wallet', async t => {
  const { devnet, server, ready, lines } = await serverBehind(t, () => undefined)
  await until(async () => (await ready()).status === 200, 'the server is ready')
  await devnet.control.send({ from: 'development' })
  const detail = await until(async () => {
    const { status, checks } = await ready()
    return checks.engine.action && { status, ...checks.engine }
  }, 'the foreign transaction is shown')
  t.match(detail, { status: 200, ok: true, detail: /, wallet-shared$/, action: /the phrase has leaked/ })
  t.equal(lines.filter(line => line.includes('"wallet-shared"')).length, 1)
  const metrics = (await server.inject('/metrics')).body
  t.match(metrics, /service_blocker_present\{kind="wallet-shared"\} 1/)
})

test('the first start of a new store logs no error although the wallet has sent transactions', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 100, control: true })
  await devnet.control.send({ from: 'development' })
  devnet.control.produceBlocks(1)
  const { log, entries } = keepingLog()
  const { engine } = await startEngine(t, devnet, { log })
  await until(() => engine.health().height !== undefined, 'the look-back is over')
  const raised = entries.filter(({ message }) => message === 'blocker raised')
  t.match(raised, [
    { level: 'info', fields: { blocker: 'looking-back', ends: /look-back/, action: /^Wait/ } }
  ])
  t.strictSame(
    entries.filter(({ level }) => level === 'error'),
    []
  )
})

test('/ready reports an account of an unknown type', async t => {
  const { untilNamed, lines } = await serverBehind(t, (method, { response }, params) => {
    if (!asksFor('Query/Account', method, params)) return undefined
    const { value } = response as { value: string }
    const { account } = QueryAccountResponse.decode(fromBase64(value))
    const odd = {
      account: { typeUrl: '/other.types.v1.OddAccount', value: account?.value ?? new Uint8Array() }
    }
    const bytes = QueryAccountResponse.encode(QueryAccountResponse.fromPartial(odd)).finish()
    return { response: { height: '5', value: toBase64(bytes) } }
  })
  t.match(await untilNamed('signer', 'account-unsupported'), {
    status: 503,
    action: /plain or a vesting one/
  })
  t.ok(lines.some(line => line.includes('OddAccount')))
})

test('missing results of a block are reported, and read once a node has them', async t => {
  let isEmptied = false
  const { engine, submit, untilBlocked, assertExactlyOnce } = await startFaultyNetwork(t, {
    engine: { clock: fastClock(10) },
    nodes: async ({ rpc }) => [
      await startRewritingNode(t, rpc, (method, result) =>
        isEmptied && method === 'block_results' && result['txs_results']
          ? { ...result, txs_results: null }
          : undefined
      )
    ]
  })
  await submit()
  isEmptied = true
  await submit()
  t.match(await untilBlocked('results-unreadable'), /block \d+ has \d+ transactions and 0 results/)
  isEmptied = false
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
  t.strictSame(engine.health().blockers, [])
})

const PRICES: [minimum: string, detail: string | undefined][] = [
  ['', undefined],
  ['0.006uSERVICE', undefined],
  ['0.02uOTHER,0.025uSERVICE', undefined],
  ['0.03uSERVICE', undefined],
  ['0.2uSERVICE', 'price-refused'],
  ['0.001uOTHER', 'price-refused']
]
for (const [minimumGasPrice, detail] of PRICES) {
  test(`a node that requires "${minimumGasPrice}" ${detail ? 'closes intake before money is promised' : 'changes nothing'}`, async t => {
    let asked = 0
    const { server, untilNamed, ready } = await serverBehind(t, (method, _result, params) => {
      if (!asksFor('Service/Config', method, params)) return undefined
      asked += 1
      const value = ConfigResponse.encode(ConfigResponse.fromPartial({ minimumGasPrice })).finish()
      return { response: { height: '5', value: toBase64(value) } }
    })
    if (detail) {
      t.match(await untilNamed('signer', detail), {
        status: 503,
        action: /^Correct SERVICE_GAS_PRICE or its denomination/
      })
      const refused = await submit(server, await transferBody(server))
      t.match(refused.json(), { code: 'INTAKE_CLOSED' })
    } else {
      await until(async () => asked >= 2 && (await ready()).status === 200, 'the server is ready')
      t.equal((await submit(server, await transferBody(server))).statusCode, 200)
    }
  })
}

for (const isAlone of [true, false]) {
  test(`a node that accepts transactions and includes none is ${isAlone ? 'reported within ten seconds' : 'replaced by another one'}`, async t => {
    let isSwallowing = true
    const { submit, untilBlocked, assertExactlyOnce, engine } = await startFaultyNetwork(t, {
      network: { blockTimeMs: 500 },
      nodes: async ({ rpc }) => {
        const hole = await startRewritingNode(
          t,
          rpc,
          method =>
            isSwallowing && method === 'broadcast_tx_sync'
              ? { code: 0, data: '', log: '', hash: 'AB' }
              : undefined,
          ['broadcast_tx_sync']
        )
        return isAlone ? [hole] : [hole, rpc]
      }
    })
    const startedAt = Date.now()
    await submit()
    if (isAlone) {
      t.match(
        await untilBlocked('transactions-ignored'),
        /^127\.0\.0\.1:\d+ accepted transaction [0-9A-F]{64}/
      )
      t.ok(Date.now() - startedAt < 10_000, `${Date.now() - startedAt} ms`)
      isSwallowing = false
    }
    t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
    await until(() => engine.health().blockers.length === 0, 'no blocker is left')
  })
}

test('an older store is closed for intake until it has read the blocks that a node has', async t => {
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

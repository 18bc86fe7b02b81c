import { setTimeout as delay } from 'node:timers/promises'
import { fromHex, toBase64 } from '@cosmjs/encoding'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getAccount } from '../../../packages/devnet/modules/auth/accounts.ts'
import { systemClock } from '../../../services/clock.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { type FaultyNetworkOptions, startFaultyNetwork, tally } from '../faulty-network.ts'

/** A network whose only node changes some of its answers. */
const startLyingNetwork = (t: Test, rewrite: Rewrite, options: FaultyNetworkOptions = {}) =>
  startFaultyNetwork(t, { ...options, nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, rewrite)] })

/** The number of messages of a simulated transaction; undefined for another call. */
function simulatedMessages(method: string, params: RpcResult): number | undefined {
  if (method !== 'abci_query' || params['path'] !== '/cosmos.tx.v1beta1.Service/Simulate') return undefined
  const { txBytes } = SimulateRequest.decode(fromHex(String(params['data'])))
  return TxBody.decode(TxRaw.decode(txBytes).bodyBytes).messages.length
}

/** The result of a simulation that needs this much gas. */
function simulated(gasUsed: bigint): RpcResult {
  const value = SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed } })).finish()
  return { response: { code: 0, value: toBase64(value), height: '1' } }
}

const culprit = { originSymbol: 'culprit' }

for (const [name, lie] of [
  ['no value', { response: { code: 0, height: '1' } }],
  ['gas 0', simulated(0n)],
  ['gas 1', simulated(1n)],
  ['2^60 gas', simulated(2n ** 60n)],
  ['2^52 gas', simulated(2n ** 52n)]
] as const) {
  test(`a simulation that succeeds with ${name}, once and for a while`, async t => {
    let lies = 0
    const network = await startLyingNetwork(t, (method, _result, params) => {
      if (simulatedMessages(method, params) === undefined || lies === 0) return undefined
      lies -= 1
      return lie
    })
    const { submit, settled, assertExactlyOnce } = network
    const [honest] = await settled([await submit()])
    for (const times of [1, 5]) {
      lies = times
      const [submission] = await settled([await submit()])
      t.match(submission, { status: 'committed' }, `${times} times`)
      t.equal(lies, 0, 'the lies were told')
      if (submission?.status !== 'committed' || honest?.status !== 'committed') continue
      t.ok(submission.gasWanted <= 4 * honest.gasWanted, 'the wallet pays little more')
    }
    t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
  })
}

test('a node that says "out of gas" to whatever it is sent, then the truth', async t => {
  const { control, submit, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  const [honest] = await settled([await submit()])
  const log = 'out of gas in location: txSize; gasWanted: 1, gasUsed: 2: out of gas'
  control.refuseNext({ count: 13, code: 11, codespace: 'sdk', log })
  const [submission] = await settled([await submit()])
  if (honest?.status !== 'committed' || submission?.status !== 'committed') throw new Error('not committed')
  t.ok(
    submission.gasWanted <= 4 * honest.gasWanted,
    `${submission.gasWanted} gas instead of ${honest.gasWanted}`
  )
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
})

test('simulations that take longer the more messages they have', async t => {
  const network = await startLyingNetwork(t, async (method, _result, params) => {
    const messages = simulatedMessages(method, params)
    if (messages !== undefined) await delay(messages * 20)
    return undefined
  })
  await network.submitMany(120)
  t.strictSame(tally(await network.assertExactlyOnce()), { committed: 120 })
  const { sequence } = getAccount(network.devnet.chain.state, network.address) ?? {}
  t.ok(Number(sequence) < 120, 'they still share transactions')
})

test('many refused messages before good ones cost few simulations', async t => {
  let messages = 0
  const network = await startLyingNetwork(t, (method, _result, params) => {
    messages += simulatedMessages(method, params) ?? 0
    return undefined
  })
  const { control, submit, submitMany, assertExactlyOnce } = network
  control.failMessages({
    count: 1_000_000,
    containing: 'culprit',
    code: 7,
    codespace: 'transaction',
    log: 'no',
    simulated: true
  })
  await Promise.all(Array.from({ length: 200 }, () => submit(culprit, /message index: \d+: no/)))
  await submitMany(100)
  t.strictSame(tally(await assertExactlyOnce()), { committed: 100, rejected: 200 })
  t.ok(messages < 5000, `${messages} messages were simulated`)
})

test('the system’s clock is set back by hours while submissions come: no pause waits for it', async t => {
  let steps = 0
  const now = () => Date.now() - steps * 3_600_000
  const network = await startFaultyNetwork(t, { engine: { clock: { ...systemClock, now } } })
  const { submit, settled, assertExactlyOnce } = network
  for (; steps < 4; steps++) await settled([await submit()])
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 })
})

test('a full mempool in the form of a refusal costs nothing and rejects nobody', async t => {
  const { control, devnet, submit, address, assertExactlyOnce } = await startFaultyNetwork(t)
  control.refuseNext({ count: 10, code: 20, codespace: 'sdk', log: 'mempool is full' })
  await submit()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
  t.equal(Number(getAccount(devnet.chain.state, address)?.sequence), 1)
})

test('blocks of a long absence are read many at a time', async t => {
  let atOnce = 0
  let most = 0
  const first = await startFaultyNetwork(t)
  await first.submitMany(1)
  await first.assertExactlyOnce()
  await first.stop()
  first.control.produceBlocks(500)
  const node = await startRewritingNode(t, first.devnet.urls.rpc, async method => {
    if (method !== 'block_results') return undefined
    atOnce += 1
    most = Math.max(most, atOnce)
    await delay(5)
    atOnce -= 1
    return undefined
  })
  const { engine } = await startEngine(t, first.devnet, { directory: first.directory, nodes: [node] })
  await until(() => (engine.health().height ?? 0) > 500, 'the blocks are read')
  t.ok(most >= 8, `${most} blocks were asked for at once`)
})

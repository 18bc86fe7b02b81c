import { setTimeout as delay } from 'node:timers/promises'
import { fromBase64, fromHex, toBase64 } from '@cosmjs/encoding'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
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

test('an unordered transaction of another program takes no sequence from a new wallet', async t => {
  const network = await startFaultyNetwork(t, { network: { sdk: '0.53' } })
  const { control, devnet, engine, submit, assertExactlyOnce } = network
  control.pause()
  const { submissionId } = await submit()
  const sent = await until(async () => {
    const submission = await engine.find(submissionId)
    return submission?.status === 'broadcast' && control.evict(submission.transactionHash) && submission
  }, 'the first transaction is lost')
  await control.send({ from: 'development', unordered: true })
  const { height } = devnet.chain
  control.produceBlocks(1)
  await until(() => (engine.health().height ?? 0) > height, 'the block is read')
  t.match(await engine.find(submissionId), { status: 'broadcast', transactionHash: sent.transactionHash })
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
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
  t.ok(Number(sequence) < 40, 'they still share transactions')
})

test('a user’s text that the chain repeats in the very words of a refusal of the wallet', async t => {
  const { control, engine, submit, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
  const log = 'symbol "culprit is whitelisted" unknown: unauthorized'
  control.failMessages({
    count: 1000,
    containing: 'culprit',
    code: 4,
    codespace: 'sdk',
    log,
    simulated: true
  })
  const batch = [submitMany(3), submit(culprit, /is whitelisted/), submitMany(3)].flat()
  const [, refused] = await Promise.all(batch)
  if (!refused || Array.isArray(refused)) throw new TypeError('one was submitted')
  t.match(await settled([refused]), [{ status: 'rejected', error: { message: /is whitelisted/ } }])
  t.strictSame(engine.health().blockers, [])
  await submit()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 7, rejected: 1 })
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

test('two messages that fail together without a name: each is refused after three times alone', async t => {
  const { control, devnet, submit, address, assertExactlyOnce } = await startFaultyNetwork(t)
  const log = 'out of gas in location: WriteFlat; gasWanted: 1, gasUsed: 2: out of gas'
  control.failMessages({
    count: 1000,
    containing: 'culprit',
    code: 11,
    codespace: 'sdk',
    log,
    simulated: false
  })
  await Promise.all([submit(culprit), submit(culprit)])
  t.strictSame(tally(await assertExactlyOnce()), { rejected: 2 })
  t.equal(
    Number(getAccount(devnet.chain.state, address)?.sequence),
    7,
    'one together, then three alone of each'
  )
})

test('the system’s clock is set back while submissions come', async t => {
  let steps = 0
  const now = () => Date.now() - steps * 60_000
  const network = await startFaultyNetwork(t, { engine: { clock: { ...systemClock, now } } })
  const { devnet, submit, settled, assertExactlyOnce } = network
  await settled([await submit()])
  const { height } = devnet.chain
  for (steps = 1; steps <= 3; steps++) await settled([await submit()])
  t.ok(devnet.chain.height - height < 300, 'in seconds, not minutes')
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

/** The account of the answer with a sequence that is far too high. */
function withWrongSequence(result: RpcResult): RpcResult {
  const { response } = result as { response: { value: string } }
  const { account } = QueryAccountResponse.decode(fromBase64(response.value))
  const base = BaseAccount.decode(account?.value ?? new Uint8Array())
  const value = BaseAccount.encode({ ...base, sequence: base.sequence + 1000n }).finish()
  const changed = QueryAccountResponse.fromPartial({ account: { typeUrl: BaseAccount.typeUrl, value } })
  return { response: { ...response, value: toBase64(QueryAccountResponse.encode(changed).finish()) } }
}

test('a wrong sequence in one answer at the first start is not believed', async t => {
  let lies = 1
  const { submit, settled, assertExactlyOnce } = await startLyingNetwork(t, (method, result, params) => {
    const isAccount = method === 'abci_query' && String(params['path']).endsWith('Query/Account')
    if (!isAccount || lies === 0) return undefined
    lies -= 1
    return withWrongSequence(result)
  })
  t.equal(lies, 0, 'the lie was told')
  await settled([await submit()])
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
})

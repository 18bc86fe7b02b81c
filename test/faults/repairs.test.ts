import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { fastClock } from '../helpers/clock.ts'
import { type Rewrite, startRewritingNode } from '../helpers/rewriting-node.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { type FaultyNetworkOptions, type Sent, sentIn, startFaultyNetwork, tally } from './faulty-network.ts'

/** An address that nodes refuse, and the one in the control request. */
const BAD = '0x00000000000000000000000000000000000000bA'
const NOBODY = '0x000000000000000000000000000000000000dEaD'

type Refusal = { code: number; codespace?: string; log: string }

/** Starts an engine whose nodes refuse each transaction for which `refusalOf` returns a refusal. */
function startRefusing(
  t: Test,
  refusalOf: (sent: Sent) => Refusal | undefined,
  { count = 1, ...options }: FaultyNetworkOptions & { count?: number } = {}
) {
  const rewrite: Rewrite = (method, _result, params) => {
    if (method !== 'broadcast_tx_sync') return undefined
    const refusal = refusalOf(sentIn(params))
    return refusal && { codespace: 'sdk', ...refusal, data: '', hash: 'AB' }
  }
  return startFaultyNetwork(t, {
    ...options,
    nodes: ({ rpc }) =>
      Promise.all(
        Array.from({ length: count }, () => startRewritingNode(t, rpc, rewrite, ['broadcast_tx_sync']))
      )
  })
}

/** The price that a node requires, in base units per gas: eight times the configured one, so above the limit. */
const REQUIRED_PRICE = 0.2

test('a higher SERVICE_GAS_PRICE frees a slot whose fee was refused', async t => {
  const network = await startRefusing(t, ({ fee, gas }) => {
    const required = BigInt(Math.ceil(Number(gas) * REQUIRED_PRICE))
    const log = `provided fee < minimum global fee (${fee} < ${required}): insufficient fee`
    return fee < required ? { code: 13, log } : undefined
  })
  const { submissionId } = await network.submit()
  t.match(await network.untilBlocked('fee-too-high'), /^provided fee </)
  await network.restart({ gasPrice: String(2 * REQUIRED_PRICE) })
  t.match(await network.settledAgain(submissionId), { status: 'committed' })
})

for (const minGasPrice of ['0.006', '0']) {
  test(`a corrected denomination frees a slot, at a minimum gas price of ${minGasPrice}`, async t => {
    const settings = { feeDenom: 'uOTHER' }
    const network = await startFaultyNetwork(t, { network: { minGasPrice }, engine: { settings } })
    const { submissionId } = await network.submit()
    await until(() => network.engine.health().blockers.length > 0, 'the engine reports a blocker')
    await network.restart({})
    t.match(await network.settledAgain(submissionId), { status: 'committed' })
  })
}

const FULL = { code: 1, codespace: '', log: 'pool reached max tx capacity' }
const CLOSED = { code: 7, codespace: 'lane', log: 'the lane is closed' }

for (const refusal of [FULL, CLOSED]) {
  test(`signs the messages again after "${refusal.log}" on a chain that forbids coin transfers`, async t => {
    let isClosed = false
    let refusals = 0
    const network = await startRefusing(t, ({ typeUrls }) => {
      if (isClosed) refusals += 1
      if (typeUrls.includes(MsgSend.typeUrl)) return { code: 4, log: 'MsgSend is not allowed: unauthorized' }
      return isClosed ? refusal : undefined
    })
    await network.settled([await network.submit()])
    isClosed = true
    await network.submitMany(3)
    await until(() => refusals >= 20, 'the node has refused for about five seconds')
    isClosed = false
    t.strictSame(tally(await network.assertExactlyOnce()), { committed: 4 })
  })
}

for (const log of ['out of gas in location: txSize: out of gas', 'Too much gas wanted: out of gas']) {
  test(`rejects a message that passes simulations, but that two nodes refuse with "${log}"`, async t => {
    const network = await startRefusing(
      t,
      ({ body }) => (body.includes(BAD) ? { code: 11, log } : undefined),
      {
        count: 2
      }
    )
    const { submit, assertExactlyOnce } = network
    await submit()
    await submit({ targetAddress: BAD }, /^sdk 11: /)
    await submit()
    t.strictSame(tally(await assertExactlyOnce()), { committed: 2, rejected: 1 })
  })
}

test('an upgrade that breaks the control message rejects nothing, and work continues', async t => {
  let isInvalid = false
  const network = await startFaultyNetwork(t, {
    nodes: async ({ rpc }) => [
      await startRewritingNode(t, rpc, (method, _result, params) => {
        if (method !== 'abci_query' || !String(params['path']).endsWith('/Simulate')) return undefined
        const simulated = Buffer.from(String(params['data']), 'hex').toString('latin1')
        const isRefused = simulated.includes(BAD) || (isInvalid && simulated.includes(NOBODY))
        const log = 'rpc error: code = Unknown desc = invalid content: invalid request'
        return isRefused ? { response: { code: 18, codespace: 'sdk', log, value: '' } } : undefined
      })
    ]
  })
  const { engine, submit, settled, submitMany, untilBlocked } = network
  await settled(await submitMany(2))
  isInvalid = true
  const bad = await submit({ targetAddress: BAD }, /^sdk 18: /)
  await untilBlocked('requests-refused')
  await settled(await submitMany(5))
  t.match(await engine.find(bad.submissionId), { status: 'queued' })
  isInvalid = false
  await settled([bad])
  t.strictSame(tally(await network.assertExactlyOnce()), { committed: 7, rejected: 1 })
})

/** Options whose encoding takes 15 kB, about the longest that the interface accepts. */
const long = { originSymbol: 'x'.repeat(15_000) }

test('rejects a single submission that is larger than a block, and executes the others', async t => {
  const { submitUntracked, submitMany, settledAgain, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockBytes: 12_000n, blockTimeMs: 500 },
    engine: { clock: fastClock(20) }
  })
  const { submissionId } = await submitUntracked('fee-large', long)
  await submitMany(6)
  t.match(await settledAgain(submissionId), {
    status: 'rejected',
    error: { code: 21, codespace: 'sdk', message: /tx size is too big: \d+, max: \d+$/ }
  })
  t.strictSame(tally(await assertExactlyOnce()), { committed: 6 })
})

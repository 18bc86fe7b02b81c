import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { getBalance } from '../../../packages/devnet/chain/bank/balances.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { sentIn, startFaultyNetwork, tally } from '../faulty-network.ts'

const gasOf = (gasUsed: bigint) =>
  toBase64(SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed } })).finish())

const isSimulation = (method: string, params: RpcResult) =>
  method === 'abci_query' && String(params['path']).endsWith('/Simulate')

/** A node whose simulations report `factor` times the real gas, and the number of transactions that it was sent. */
function overstating(factor = 1) {
  const node = { factor, sent: 0 }
  const rewrite: Rewrite = (method, { response }, params) => {
    if (method === 'broadcast_tx_sync') node.sent += 1
    const { value } = Object(response)
    if (!isSimulation(method, params) || typeof value !== 'string') return undefined
    const { gasInfo } = SimulateResponse.decode(fromBase64(value))
    return { response: { ...Object(response), value: gasOf((gasInfo?.gasUsed ?? 0n) * BigInt(node.factor)) } }
  }
  return Object.assign(node, { rewrite })
}

test('pays nothing while the only node overstates all gas, and reports it', async t => {
  const node = overstating(200)
  const { submitMany, submit, engine, untilBlocked, assertExactlyOnce, blocks } = await startFaultyNetwork(
    t,
    { nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, node.rewrite)] }
  )
  await submitMany(15)
  t.match(await untilBlocked('gas-too-high'), /the control message needs \d+ gas, above 2000000/)
  await submit()
  await blocks(20)
  t.equal(node.sent, 0)
  node.factor = 1
  t.strictSame(tally(await assertExactlyOnce()), { committed: 16 })
  await until(() => engine.health().blockers.length === 0, 'the blocker is cleared')
})

test('pays over twice the usual gas if two nodes agree, and reports it for an hour', async t => {
  const node = overstating()
  const { submitApart, settled, untilBlocked } = await startFaultyNetwork(t, {
    nodes: ({ rpc }) => Promise.all([1, 2].map(() => startRewritingNode(t, rpc, node.rewrite)))
  })
  await settled(await submitApart(2))
  node.factor = 3
  await settled(await submitApart(1))
  t.match(
    await untilBlocked('fees-risen'),
    /^127\.0\.0\.1:\d+ reports \d+ gas for a transaction with 1 message\(s\)$/
  )
})

for (const [what, dailyFeeLimit] of [
  ['a slot that is signed again', 200_000n],
  ['a new slot', 600_000n]
] as const) {
  test(`pays at most the daily limit for ${what} when the only node raises fees`, async t => {
    let lies = true
    const rewrite: Rewrite = (method, _result, params) => {
      if (!lies) return undefined
      if (isSimulation(method, params))
        return { response: { code: 0, value: gasOf(1_300_000n), height: '1' } }
      if (method !== 'broadcast_tx_sync') return undefined
      const { fee, gas } = sentIn(params)
      const required = (gas * 5n) / 40n
      const log = `insufficient fees; got: ${fee}uSERVICE required: ${required}uSERVICE: insufficient fee`
      return fee < required ? { code: 13, codespace: 'sdk', log, data: '', hash: 'AB' } : undefined
    }
    const network = await startFaultyNetwork(t, {
      engine: { settings: { dailyFeeLimit } },
      nodes: async ({ rpc }) => [await startRewritingNode(t, rpc, rewrite, ['broadcast_tx_sync'])]
    })
    const { devnet, address, engine, submit, blocks, untilBlocked, assertExactlyOnce } = network
    const balance = () => getBalance(devnet.chain.pendingState(), address, 'uSERVICE')
    const before = balance()
    const paid = () => before - balance()
    const isBlocked = () => engine.health().blockers.some(({ kind }) => kind === 'daily-fee-limit')
    for (let count = 0; count < 5 && !isBlocked(); count++) {
      const { submissionId } = await submit()
      const isCommitted = async () => (await engine.find(submissionId))?.status === 'committed'
      await until(async () => isBlocked() || isCommitted(), 'the submission is executed or blocked')
    }
    await blocks(3)
    t.ok(paid() <= dailyFeeLimit, `${paid()} was paid`)
    t.match(await untilBlocked('daily-fee-limit'), /SERVICE_DAILY_FEE_LIMIT is reached: paid \d+/)
    await t.rejects(submit(), { code: 'DAILY_FEE_LIMIT', statusCode: 503 })

    lies = false
    t.match(tally(await assertExactlyOnce()), { committed: Number })
    t.ok(paid() <= dailyFeeLimit, 'the blocked submissions stay within the limit once the node is honest')
    await until(() => !isBlocked(), 'intake has reopened')
    await submit()
    await assertExactlyOnce()
  })
}

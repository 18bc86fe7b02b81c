import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getBalance } from '../../packages/devnet/chain/bank/balances.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../helpers/rewriting-node.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { type FaultyNetworkOptions, startFaultyNetwork, tally } from './faulty-network.ts'

/** An address that nodes refuse, and the one in the control request. */
const BAD = '0x00000000000000000000000000000000000000bA'
const NOBODY = '0x000000000000000000000000000000000000dEaD'

interface Sent {
  fee: bigint
  gas: bigint
  typeUrls: string[]
  body: string
}

function sentIn(params: RpcResult): Sent {
  const { authInfoBytes, bodyBytes } = TxRaw.decode(Buffer.from(String(params['tx']), 'base64'))
  const { fee } = AuthInfo.decode(authInfoBytes)
  const typeUrls = TxBody.decode(bodyBytes).messages.map(({ typeUrl }) => typeUrl)
  const body = Buffer.from(bodyBytes).toString('latin1')
  return { fee: BigInt(fee?.amount[0]?.amount ?? 0), gas: fee?.gasLimit ?? 0n, typeUrls, body }
}

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

const FEE_SENTENCES: Record<string, (fee: bigint, required: bigint) => string> = {
  'provided fee': (fee, required) =>
    `provided fee < minimum global fee (${fee} < ${required}). Please increase the gas price.: insufficient fee`,
  'gas prices': () =>
    `gas prices too low, got: 0.025000000000000000uSERVICE required: ${REQUIRED_PRICE}uSERVICE. Please retry using a higher gas price or a higher fee: insufficient fee`,
  'at least': (fee, required) =>
    `insufficient minimum fee for this node; got: ${fee} required at least: ${required}: insufficient fee`,
  'no amount': () => 'the fee is too low: insufficient fee'
}

for (const [name, sentence] of Object.entries(FEE_SENTENCES)) {
  test(`a higher SERVICE_GAS_PRICE frees a slot whose fee was refused as: ${name}`, async t => {
    const network = await startRefusing(t, ({ fee, gas }) => {
      const required = BigInt(Math.ceil(Number(gas) * REQUIRED_PRICE))
      return fee < required ? { code: 13, log: sentence(fee, required) } : undefined
    })
    const { submissionId } = await network.submit()
    t.match(await network.untilBlocked('fee-too-high'), sentence(1n, 1n).slice(0, 12))
    await network.restart({ gasPrice: String(2 * REQUIRED_PRICE) })
    t.match(await network.settledAgain(submissionId), { status: 'committed' })
  })
}

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

for (const [most, figure, submissions, mostFee] of [
  [2_000_000n, '', 400, 470_000n],
  [250_000n, ', maximum is 250,000', 150, 250_000n]
] as const) {
  test(`pays for the gas of the messages that remain if the chain refuses more than ${most} gas`, async t => {
    const log = `Too much gas wanted${figure}: out of gas`
    const network = await startRefusing(t, ({ gas }) => (gas > most ? { code: 11, log } : undefined), {
      network: { blockTimeMs: 500 }
    })
    const { devnet, address, submitMany, assertExactlyOnce } = network
    const balance = () => getBalance(devnet.chain.state, address, 'uSERVICE')
    const before = balance()
    await submitMany(submissions)
    t.strictSame(tally(await assertExactlyOnce()), { committed: submissions })
    t.ok(before - balance() <= mostFee, `${before - balance()} was paid`)
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

test('continues while an upgrade has made the control request invalid, and rejects nothing until it passes', async t => {
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

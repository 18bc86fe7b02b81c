import { parseCoins } from '@cosmjs/proto-signing'
import { startDevnet } from '../../../packages/devnet/index.ts'
import { type ChainNode, HistoryPrunedError } from '../../../services/chain-client/index.ts'
import { createRpcNode } from '../../../services/chain-client/node/index.ts'
import { systemClock } from '../../../services/clock.ts'
import { CHAIN_ID, DENOM } from '../../devnet/transactions.ts'
import type { Test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import type { Sdk } from '../binary.ts'
import { testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { GENESIS_ACCOUNTS, MEMPOOL_SIZE, mempool, reads, refusals, results, simulations } from './calls.ts'

const GAS_PRICE = '0.025'
const MAX_BLOCK_BYTES = 200_000

const RETAINED = 3

/** Starts a real chain, a development network with the same genesis and limits, and the service's client for each. */
async function startBoth(t: Test, sdk: Sdk, settings: { minRetainBlocks?: number } = {}) {
  const real = await startRealChain(t, {
    sdk,
    blockTimeMs: 500,
    accounts: GENESIS_ACCOUNTS,
    maxBlockBytes: MAX_BLOCK_BYTES,
    minGasPrices: `${GAS_PRICE}${DENOM}`,
    mempoolSize: MEMPOOL_SIZE,
    ...settings
  })
  const accounts = real.accounts.map(({ address, coins }) => ({
    address,
    coins: parseCoins(coins).map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
  }))
  const devnet = await startDevnet({
    genesis: { chainId: CHAIN_ID, accounts },
    sdk: sdk === '0.47' ? '0.47' : '0.50',
    blockTimeMs: 500,
    minGasPrice: GAS_PRICE,
    maxBlockBytes: BigInt(MAX_BLOCK_BYTES)
  })
  t.teardown(() => devnet.close())
  devnet.control.setMempoolSize(MEMPOOL_SIZE)
  const [ours, theirs] = [devnet.urls.rpc, real.urls.rpc].map(url => {
    const node = createRpcNode({ url, timeoutMs: 60_000, clock: systemClock })
    t.teardown(node.close)
    return node
  }) as [ChainNode, ChainNode]
  return { ours, theirs, control: devnet.control }
}

/**
 * Removes from a step's response the values that differ between two chains.
 * @returns the remaining response as JSON, and the gas amounts separately
 */
function comparable(response: unknown, sdk: Sdk) {
  const gas: number[] = []
  const text = JSON.stringify(response, (key, value) => {
    if (key === 'height' || key === 'timedOut') return undefined
    if (key === 'gasUsed') return gas.push(Number(value)) && 'gas'
    // The development network uses the wording of SDK 0.47, so logs are compared only for that version.
    if (sdk !== '0.47' && (key === 'log' || key === 'reason') && value !== '') return 'words'
    return typeof value === 'bigint' ? String(value) : value
  })
  const same = text
    ?.replaceAll(/(?<=\bgas ?[uU]sed: '?)\d+|(?<= \[)[^\s\]]+\.(?:go|ts):\d+|(?<=total txs bytes )\d+/g, '…')
    .replaceAll(/(?<=out of gas in location: )\w+/g, '…')
  return { same, gas }
}

/** Minimum gas of an executed transaction. A transaction that used less was rejected before its execution. */
const GAS_OF_EXECUTION = 25_000

/** Returns whether two gas amounts differ by at most a third, or one is from a transaction that was rejected early. */
function areNear(one: number, other: number): boolean {
  return Math.min(one, other) < GAS_OF_EXECUTION || (one > (other * 2) / 3 && one < (other * 4) / 3)
}

testEachBuild("the devnet responds to the service's calls as a node does", async (t, sdk) => {
  const { ours, theirs } = await startBoth(t, sdk)
  const parts = { reads, simulations, refusals, results, mempool }
  for (const [name, play] of Object.entries(parts)) {
    const record = async (node: ChainNode) => {
      const notes = new Map<string, unknown>()
      await play(node, (step, response) => void notes.set(step, response))
      return notes
    }
    const [left, right] = await Promise.all([record(ours), record(theirs)])
    t.strictSame([...left.keys()], [...right.keys()], name)
    for (const [step, response] of left) {
      const [our, their] = [comparable(response, sdk), comparable(right.get(step), sdk)]
      t.equal(our.same, their.same, `${name}: ${step}`)
      const isNear = our.gas.every((gas, index) => areNear(gas, their.gas[index] ?? 0))
      t.ok(isNear, `${name}: gas of ${step}`, { ours: our.gas, theirs: their.gas })
    }
  }
})

testEachBuild('the devnet reports pruned blocks as a real node does', async (t, sdk) => {
  const { ours, theirs, control } = await startBoth(t, sdk, { minRetainBlocks: RETAINED })
  const enough = async (node: ChainNode) => (await node.status()).height >= 10
  for (const node of [ours, theirs])
    await until(() => enough(node), 'the chain has enough blocks for pruning')
  control.prune(7)
  for (const node of [ours, theirs]) {
    const error = await node.block(1).catch(caught => caught)
    t.ok(error instanceof HistoryPrunedError)
    t.ok(error.lowest > 1)
  }
})

import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import type { Sdk } from '../binary.ts'
import { builds, testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { openForeignWallet } from '../harness/transactions.ts'
import { startEngineAtNode } from './engine-at-node.ts'

const ROUNDS = 6

/** Another program sends transactions from the service's wallet, the first after the engine has signed with a sequence. */
async function share(t: Test, sdk: Sdk, unordered: boolean): Promise<void> {
  const chain = await startRealChain(t, { sdk })
  const { engine, proxy, submit, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const sendForeign = await openForeignWallet(chain, unordered)

  proxy.fail('broadcast_tx_sync')
  const { submissionId } = await submit()
  const isSigned = async () => (await engine.find(submissionId))?.status === 'broadcast'
  await until(isSigned, 'the wallet has signed')
  const { height } = await sendForeign()
  if (unordered) {
    await until(() => (engine.health().height ?? 0) >= height, 'the block is read')
    t.ok(await isSigned(), 'the submission is still in its slot')
  }
  proxy.heal()

  for (let round = 0; round < ROUNDS; round++) await Promise.all([sendForeign(), submitMany(4)])
  t.strictSame(await assertExactlyOnce(), { committed: 4 * ROUNDS + 1 })
  const displaced = await engine.find(submissionId)
  t.ok(displaced?.status === 'committed' && displaced.height > height, 'executed after the foreign one')
}

const title = 'executes each submission once while another program uses the wallet'
testEachBuild(title, (t, sdk) => share(t, sdk, false))

if (builds.includes('0.53'))
  test('SDK 0.53: unordered transactions from the same wallet consume no sequence', t =>
    share(t, '0.53', true))

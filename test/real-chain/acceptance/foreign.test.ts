import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { builds, testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { bankSend, openForeignWallet } from '../harness/transactions.ts'
import { startEngineAtNode, tally } from './engine-at-node.ts'

const ROUNDS = 6

testEachBuild('executes each submission once while another program uses the wallet', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const { engine, proxy, submit, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const wallet = await openForeignWallet(chain)
  let sent = 0n
  const sendForeign = () => {
    sent += 1n
    return wallet.execute([bankSend(wallet.address, wallet.address, sent)])
  }

  // Forces one collision: the submission is signed but not sent when another transaction consumes its sequence.
  proxy.fail('broadcast_tx_sync')
  const { submissionId } = await submit()
  const isSigned = async () => (await engine.find(submissionId))?.status === 'broadcast'
  await until(isSigned, 'the wallet has signed')
  const { height } = await sendForeign()
  proxy.heal()

  for (let round = 0; round < ROUNDS; round++) await Promise.all([sendForeign(), submitMany(4)])
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 * ROUNDS + 1 })
  const displaced = await engine.find(submissionId)
  t.ok(displaced?.status === 'committed' && displaced.height > height, 'executed after the foreign one')
})

if (builds.includes('0.53')) {
  test('SDK 0.53: unordered transactions from the same wallet consume no sequence', async t => {
    const chain = await startRealChain(t, { sdk: '0.53' })
    const { engine, proxy, submit, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain)
    const wallet = await openForeignWallet(chain)
    const sendUnordered = () =>
      wallet.execute([bankSend(wallet.address, wallet.address, 1n)], { unordered: true })

    proxy.fail('broadcast_tx_sync')
    const { submissionId } = await submit()
    const isSigned = async () => (await engine.find(submissionId))?.status === 'broadcast'
    await until(isSigned, 'the wallet has signed with its first sequence')
    const { height } = await sendUnordered()
    await until(() => (engine.health().height ?? 0) >= height, 'the block is read')
    t.ok(await isSigned(), 'the submission is still in its slot')
    proxy.heal()

    for (let round = 0; round < ROUNDS; round++) await Promise.all([sendUnordered(), submitMany(4)])
    t.strictSame(tally(await assertExactlyOnce()), { committed: 4 * ROUNDS + 1 })
  })
}

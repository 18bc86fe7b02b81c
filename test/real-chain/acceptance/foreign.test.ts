import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { builds, testEachBuild } from '../harness/builds.ts'
import { startRealChain } from '../harness/index.ts'
import { bankSend, executed, openForeignWallet, sendBehind } from '../harness/transactions.ts'
import { BLOCKS, SLOW_BLOCKS, startEngineAtNode, tally } from './engine-at-node.ts'

const ROUNDS = 6

testEachBuild('executes each submission once while another program uses the wallet', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const { engine, proxy, submit, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const wallet = await openForeignWallet(chain)

  // Forces one collision: the submission is signed but not sent when another transaction consumes its sequence.
  proxy.fail('broadcast_tx_sync', { kind: 'reset' })
  const { submissionId } = await submit()
  const isSigned = async () => (await engine.find(submissionId))?.status === 'broadcast'
  await until(isSigned, 'the wallet has signed')
  const { height } = await executed(chain.urls.rpc, (await sendBehind(wallet)).hash)
  proxy.heal()

  for (let round = 0; round < ROUNDS; round++) {
    const [{ hash }] = await Promise.all([sendBehind(wallet), submitMany(4)])
    await executed(chain.urls.rpc, hash)
  }
  t.strictSame(tally(await assertExactlyOnce()), { committed: 4 * ROUNDS + 1 })
  const displaced = await engine.find(submissionId)
  t.ok(
    displaced?.status === 'committed' && displaced.height > height,
    'the submission is executed after the foreign transaction'
  )
})

testEachBuild('uses a later sequence after another program consumes a pending sequence', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { engine, proxy, submitApart, assertExactlyOnce } = await startEngineAtNode(t, chain)
  const [first] = await submitApart(3)
  await proxy.goDown()
  await chain.restart(BLOCKS)
  await chain.blocks(1)
  const wallet = await openForeignWallet(chain)
  const { height } = await wallet.execute([bankSend(wallet.address, wallet.address, 1n)])
  await proxy.comeBack()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 3 })
  const displaced = await engine.find(first?.submissionId ?? '')
  t.ok(
    displaced?.status === 'committed' && displaced.height > height,
    'the submission is executed with a later sequence'
  )
})

if (builds.includes('0.53')) {
  test('SDK 0.53: unordered transactions from the same wallet consume no sequence', async t => {
    const chain = await startRealChain(t, { sdk: '0.53' })
    const { engine, proxy, submit, submitMany, assertExactlyOnce } = await startEngineAtNode(t, chain)
    const wallet = await openForeignWallet(chain)
    const sendUnordered = () =>
      wallet.execute([bankSend(wallet.address, wallet.address, 1n)], { unordered: true })

    proxy.fail('broadcast_tx_sync', { kind: 'reset' })
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

import { OTHER_WALLET } from '../../packages/devnet/wallets.ts'
import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { ownRequest } from '../helpers/transfer.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'
import { procedureSql } from './procedures.ts'

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  test(`${name}: a new wallet takes over once all is settled, and returns old results`, async t => {
    const devnet = await startNetwork(t)
    const { development, other } = devnet.addresses
    const place = await newPlace(t)
    const handOver = () =>
      place.execute(procedureSql('Wallet hand-over', { ADDRESS: development, NEW: other }))
    const first = await startEngine(t, devnet, { open: place.open })
    await first.engine.settled((await first.submit('early')).submissionId, PATIENCE_MS)
    devnet.chain.pause()
    const late = await first.submit('late')
    await until(() => devnet.chain.mempool.size > 0, 'the late submission is sent')
    await first.stop()
    const options = { open: place.open, mnemonic: OTHER_WALLET }
    const message = `the store belongs to the wallet ${development}, not to ${other}`
    if (name === 'sqlite') await t.rejects(startEngine(t, devnet, options), { message })

    await handOver()
    devnet.chain.resume()
    const closed = await startEngine(t, devnet, { open: place.open, settings: { isIntakeClosed: true } })
    t.match(await closed.engine.settled(late.submissionId, PATIENCE_MS), { status: 'committed' })
    await t.rejects(closed.submit('refused'), { code: 'INTAKE_CLOSED' })
    const old = await Promise.all(['early', 'late'].map(feeId => closed.submit(feeId)))
    t.match(old, [{ status: 'committed' }, { status: 'committed' }])
    await until(() => closed.engine.health().unsettled === 0, 'every submission is settled')
    await closed.stop()

    devnet.control.allow(other)
    for (const _twice of [1, 2]) await handOver()
    const second = await startEngine(t, devnet, options)
    t.equal(second.address, other)
    t.same(await Promise.all(['early', 'late'].map(feeId => second.submit(feeId))), old)
    const refused = await second.submit('refused')
    const submission = await second.engine.settled(refused.submissionId, PATIENCE_MS)
    await second.stop()

    // Repeating the procedure by mistake does not affect the new wallet.
    await handOver()
    const third = await startEngine(t, devnet, options)
    t.same(await third.submit('refused'), submission)
    const ofOld = ['early', 'late'].map((feeId, index) => ({
      feeId,
      fields: { ...ownRequest(feeId).fields, creator: development },
      submission: old[index] ?? submission
    }))
    assertExactlyOnce(t, readChain(devnet, other), [...ofOld, { feeId: 'refused', submission }])
  })
}

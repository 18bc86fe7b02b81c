import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { keepingLog } from '../helpers/keeping-log.ts'
import { leadingStore } from '../helpers/leading-store.ts'
import { assertExactlyOnce, readChain } from '../helpers/oracle/index.ts'
import { test } from '../helpers/tap.ts'
import { transferRequest } from '../helpers/transfer-request.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const [ACCEPTED, DAMAGED] = ['100000000', '900000000']

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
  const blob = (bytes: Uint8Array) => {
    const hex = Buffer.from(bytes).toString('hex')
    return name === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`
  }

  test(`${name}: fails a queued transfer whose stored amount was changed, and executes the others`, async t => {
    const devnet = await startNetwork(t)
    const place = await newPlace(t)
    const first = await startEngine(t, devnet, { open: place.open })
    await until(() => first.engine.health().height !== undefined, 'the wallet account is stored')
    await first.stop()
    const offline = await place.open(first.address)
    const transfer = (amount: string) => transferRequest('damaged', { creator: first.address, amount })
    await offline.take([{ ...transfer(ACCEPTED), submissionId: 'id-damaged' }])
    await offline.close()
    await place.execute(`UPDATE submission SET message = ${blob(transfer(DAMAGED).message)}`)

    const { log, entries } = keepingLog()
    const second = await startEngine(t, devnet, { open: place.open, log })
    const { submissionId } = await second.submit('next')
    const submission = await second.engine.settled(submissionId, PATIENCE_MS)
    assertExactlyOnce(t, readChain(devnet, first.address), [{ feeId: 'next', submission }])
    t.match(await second.engine.find('id-damaged'), { status: 'queued' })
    const errors = entries.filter(({ level }) => level === 'error')
    t.match(errors, [
      { fields: { err: { message: 'stored submission id-damaged is damaged: column message' } } }
    ])
  })

  test(`${name}: neither resends nor re-signs a transaction whose stored bytes were changed`, async t => {
    const devnet = await startNetwork(t, { control: true })
    const place = await newPlace(t)
    const first = await startEngine(t, devnet, { open: place.open })
    devnet.control.pause()
    const { submissionId } = await first.submit('damaged', { amount: ACCEPTED })
    const isInSlot = async () => (await first.store.find(submissionId))?.status === 'broadcast'
    await until(isInSlot, 'the transaction is signed')
    await first.stop()
    const offline = await leadingStore(await place.open(first.address))
    const [signedTx] = await offline.openSignedTxs()
    await offline.close()
    const damaged = Buffer.from(signedTx?.bytes ?? [])
    damaged.write(DAMAGED, damaged.indexOf(ACCEPTED))
    await place.execute(`UPDATE signed_tx SET bytes = ${blob(damaged)}`)

    // The node loses its mempool and raises its price, so the transactions would need a new signature.
    devnet.control.restart()
    devnet.control.setMinGasPrice('0.05')
    devnet.control.resume()
    await t.rejects(startEngine(t, devnet, { open: place.open }), {
      name: 'StoreCorruptError',
      message: `stored signed_tx ${signedTx?.hash} is damaged: column bytes`
    })
  })
}

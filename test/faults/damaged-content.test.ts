import { startNetwork } from '../helpers/app.ts'
import { durableStores } from '../helpers/durable-stores.ts'
import { startEngine } from '../helpers/engine-at.ts'
import { leadingStore } from '../helpers/leading-store.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'

const [ACCEPTED, DAMAGED] = ['100000000', '900000000']

for (const [name, { newPlace }] of Object.entries(await durableStores())) {
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
    const hex = damaged.toString('hex')
    const blob = name === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'::bytea`
    await place.execute(`UPDATE signed_tx SET bytes = ${blob}`)

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

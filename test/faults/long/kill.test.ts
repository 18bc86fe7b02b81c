import { startNetwork, testEnv } from '../../helpers/app.ts'
import { durableStores } from '../../helpers/durable-stores.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { TRANSFER } from '../../helpers/transfer.ts'
import { killRounds } from '../kill-rounds.ts'

test('SIGKILL at random moments under load neither loses nor repeats a transfer', t =>
  killRounds(t, { rounds: 50 }))

for (const [name, { newPlace }] of Object.entries(await durableStores()))
  test(`${name}: a SIGKILL right after its response loses no quote`, async t => {
    const network = await startNetwork(t)
    const { env } = await newPlace(t)
    const settings = testEnv(t, network, { ...env, SERVICE_QUOTE_CHECK: 'required' })
    const first = await startServer(t, settings)
    const response = await patientFetch(`${first.url}/submit/fees?${new URLSearchParams(TRANSFER)}`)
    const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = JSON.parse(await response.text())
    await first.stop('SIGKILL')
    const { url } = await startServer(t, settings)
    const { submitAmount: amount } = transactionValues.feeFromOrigin
    const options = JSON.stringify({ feeId, signature: '0xsigned' })
    const submitted = await patientPost(`${url}/submit`, { ...TRANSFER, amount, fee, decimals, options })
    t.match(await submitted.json(), { txId: Number })
  })

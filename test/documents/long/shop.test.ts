import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { patientFetch, patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { evmUser } from '../../helpers/users.ts'
import { createProject } from './typescript.ts'

test('a transfer pays an order in the example shop', async t => {
  const { folder, environment } = createProject(t)
  cpSync(new URL('../../../docs/examples/shop', import.meta.url), folder, { recursive: true })
  const secret = join(folder, 'webhook-secret')
  writeFileSync(secret, `whsec_${Buffer.alloc(32, 7).toString('base64')}\n`)
  const port = await freePort('127.0.0.1')
  const env = testEnv(t, await startNetwork(t), {
    ...environment,
    SHOP_PORT: String(port),
    SHOP_ADDRESS: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
    SERVICE_WEBHOOK_URL: `http://127.0.0.1:${port}/webhooks`,
    SERVICE_WEBHOOK_SECRET_FILE: secret,
    SERVICE_QUOTE_CHECK: 'required'
  })
  const tsx = ['--import', import.meta.resolve('tsx/esm')]
  const server = await startServer(t, env, [...tsx, join(folder, 'server.mjs')])
  await server.saw(/"msg":"engine ready"/)
  const call = async (path: string, body?: object) => {
    const url = server.url + path
    return JSON.parse(await (await (body ? patientPost(url, body) : patientFetch(url))).text())
  }

  const user = evmUser()
  const { orderId } = await call('/orders', { price: '25' })
  const buyer = { originChain: 'ETH', originSymbol: 'USDT', originAddress: user.address }
  const quote = await call(`/orders/${orderId}/quote`, buyer)
  const { feeId, feeTotalBigInt: fee, decimals, transactionValues } = quote
  const { submitAmount: amount, message } = transactionValues.feeFromOrigin
  const options = JSON.stringify({ feeId, signature: await user.sign(message), message })
  const paidTo = { targetChain: 'POL', targetSymbol: 'USDC', targetAddress: env['SHOP_ADDRESS'] }
  const payment = { ...buyer, ...paidTo, amount, fee, decimals, options }
  t.match(await call('/payments/submit/transfer', payment), { txId: 1 })

  await until(async () => (await call(`/orders/${orderId}`)).state !== 'open', 'the order is settled')
  t.match(await call(`/orders/${orderId}`), { state: 'paid', txId: 1 })
  t.equal(await server.stop(), 0)
})

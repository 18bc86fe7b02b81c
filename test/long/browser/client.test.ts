import { build } from 'esbuild'
import { Webhook } from 'standardwebhooks'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { installClient } from '../../helpers/installed-client.ts'
import { serve } from '../../helpers/local-server.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'
import { startBrowser } from './browser.ts'

/** Code that runs in both a page and a worker: pays by card and verifies a webhook. */
const program = `
import { bodyOf, createClient } from 'transaction-back-end-client'
import { verifyWebhook } from 'transaction-back-end-client/webhooks'

export async function pay(baseUrl, webhook, secret) {
  const { data, type } = verifyWebhook(webhook.body, new Headers(webhook.headers), secret)
  const client = createClient({ baseUrl })
  const quote = await client.quote({
    amount: '20', originAddress: '', originChain: 'CC', originSymbol: 'USD',
    targetAddress: '0x8ba1f109551bD432803012645Ac136ddd64DBA72', targetChain: 'POL', targetSymbol: 'USDC'
  })
  const { txId } = await client.submitAndWait(bodyOf(quote, { transactionIdSeed: crypto.randomUUID() }))
  let last
  for await (const { txstatus } of client.watch({ txId })) last = txstatus
  return [type, data.txId, last].join(' ')
}`
const sources = {
  'page.js': `${program}\nwindow.pay = pay`,
  'worker.js': `${program}\nonmessage = async ({ data }) => postMessage(await pay(...data).catch(String))`
}

test('the bundled client works in a page and a worker', async t => {
  const folder = await installClient(t)
  const bundled = (name: keyof typeof sources) =>
    build({
      stdin: { contents: sources[name], resolveDir: folder },
      absWorkingDir: folder,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser'
    }).then(({ outputFiles }) => outputFiles[0]?.text ?? '')
  const files = { '/page.js': await bundled('page.js'), '/worker.js': await bundled('worker.js') }
  const shop = await serve(t, ({ url }, response) => {
    const script = Object.entries(files).find(([path]) => path === url)?.[1]
    response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' })
    response.end(
      script ?? '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'
    )
  })
  const network = await startNetwork(t)
  const server = await startServer(t, testEnv(t, network, { NODE_ENV: 'production', DOMAIN: shop.url }))
  await server.saw(/"msg":"engine ready"/)
  const { page } = await (await startBrowser(t))(t)
  await page.goto(shop.url)
  await page.waitForFunction('window.pay')

  const body = JSON.stringify({ type: 'transfer.finished', data: { txId: 7 } })
  const now = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    'webhook-signature': new Webhook(WEBHOOK_SECRET).sign('msg_1', now, body)
  }
  const call = JSON.stringify([server.url, { body, headers }, WEBHOOK_SECRET])
  const expected = 'transfer.finished 7 Completed'
  t.equal(await page.evaluate(`pay(...${call})`), expected, 'in a page')
  const inWorker = `new Promise(resolve => {
    const worker = new Worker('/worker.js', { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.postMessage(${call})
  })`
  t.equal(await page.evaluate(inWorker), expected, 'in a worker')
})

import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { serve } from '../../helpers/local-server.ts'
import { patientPost } from '../../helpers/patient-fetch.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { startBrowser } from './browser.ts'

/** A shop's page, whose script records the events from an EventSource. */
const shopPage = `<!doctype html>
<html lang="en">
<link rel="icon" href="data:,">
<title>A shop</title>
<script>
function watch(url) {
  window.received = []
  window.source = new EventSource(url, { withCredentials: true })
  source.addEventListener('state', event => {
    const { data } = JSON.parse(event.data)
    received.push([data.transaction_data].flat()[0].txstatus)
  })
}
</script>`

const statuses = (page: Page) => page.evaluate<string[]>('received')

test('a page from another origin watches a transfer, even after a restart', async t => {
  const pages = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage)
  })
  const shop = `http://shop.example:${new URL(pages.url).port}`
  const network = await startNetwork(t)
  const env = testEnv(t, network, {
    NODE_ENV: 'production',
    DOMAIN: shop,
    // A fixed port, so that the page can reconnect after a restart.
    PORT: String(await freePort('127.0.0.1'))
  })
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const { page } = await (await startBrowser(t))(t)
  await page.goto(shop)
  const response = await patientPost(`${server.url}/submit/transfer`, submitBody(randomUUID()))
  // The transfer's status does not change until the chain resumes.
  network.control.pause()
  const { txId } = JSON.parse(await response.text())
  await page.evaluate(`watch('${server.url}/tx/${txId}/events')`)
  await page.waitForFunction('received.length === 1')

  const reconnected = page.waitForResponse(
    async response => 'last-event-id' in (await response.request().allHeaders())
  )
  await server.stop()
  await startServer(t, env)
  await reconnected
  network.control.resume()
  await page.waitForFunction("received.at(-1) === 'Completed'")

  const seen = await statuses(page)
  t.strictSame(seen, [...new Set(seen)], 'each once')
  // The server responds to the next request with 204, so that the EventSource stops reconnecting.
  await page.waitForFunction('source.readyState === EventSource.CLOSED')
  t.strictSame(await statuses(page), seen)
})

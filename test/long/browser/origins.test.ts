import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { serve } from '../../helpers/local-server.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { submitBody } from '../../helpers/transfer.ts'
import { until } from '../../helpers/until.ts'
import { startBrowser } from './browser.ts'

/** An empty page that makes no requests of its own. */
const blankPage = '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A shop</title>'

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
  mode?: 'no-cors'
}

/** Sends a request with credentials from a page, as the widget does. Returns what a script can read of the response. */
function send(page: Page, url: string, call: Call = {}) {
  return page.evaluate(
    async ([url, call]) => {
      try {
        const response = await fetch(url, { credentials: 'include', ...call })
        const headers = Object.fromEntries(response.headers)
        return { type: response.type, status: response.status, headers, body: await response.text() }
      } catch (error) {
        return { failed: String(error) }
      }
    },
    [url, call] as const
  )
}

const submission = (feeId: string, change = {}): Call => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': feeId },
  body: submitBody(feeId, change)
})

const withheld = { failed: 'TypeError: Failed to fetch' }

test('pages from other origins call an API in production mode', async t => {
  const pages = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(blankPage)
  })
  const { port } = new URL(pages.url)
  const listed = `http://shop.example:${port}`
  const network = await startNetwork(t)
  const server = await startServer(t, testEnv(t, network, { NODE_ENV: 'production', DOMAIN: listed }))
  await server.saw(/"msg":"engine ready"/)
  const openTab = await startBrowser(t)
  const executions = () => [...readChain(network, network.addresses.development).executions]
  const feeId = randomUUID()

  await t.test('a page from a listed origin can submit, and read responses and errors', async t => {
    const { page, errors } = await openTab(t)
    await page.goto(listed)
    const answer = await send(page, `${server.url}/chains/env`, { headers: { 'x-request-id': 'a-visit' } })
    t.match(answer, { type: 'cors', status: 200, body: /testnet/ })
    t.match(answer.headers, { 'x-request-id': 'a-visit', age: /^\d+$/ })
    t.notOk(answer.headers?.['strict-transport-security'], 'other headers are not exposed')
    const submitted = await until(async () => {
      const answer = await send(page, `${server.url}/submit/transfer`, submission(feeId))
      return answer.status !== 503 && answer
    }, 'the server is not too busy')
    t.match(submitted, { status: 200, body: /"txId":\d+/ })
    t.strictSame(executions(), [[feeId, 1]])
    const sanctioned = { targetAddress: '0x00000000000000000000000000000000000000c1' }
    for (const [path, call, status, code] of [
      ['/submit/transfer', submission(randomUUID(), sanctioned), 403, 'NOT_COMPLIANT'],
      ['/submit/transfer', { method: 'POST', body: '{}' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['/nowhere', {}, 404, 'ROUTE_NOT_FOUND']
    ] as const) {
      const { body, ...answer } = await send(page, server.url + path, call)
      t.match(answer, { status, headers: { 'x-request-id': /./ } })
      t.match(JSON.parse(body ?? ''), { statusCode: status, code })
    }
    t.strictSame(errors, [])
  })

  await t.test('a page from an unlisted origin can neither read nor submit', async t => {
    const { page, refusals } = await openTab(t)
    await page.goto(`http://other.example:${port}`)
    const refused = randomUUID()
    t.strictSame(await send(page, `${server.url}/chains/env`), withheld)
    t.strictSame(await send(page, `${server.url}/submit/transfer`, submission(refused)), withheld)
    // A simple request, which the browser sends without a preflight.
    const simple = { method: 'POST', body: submitBody(refused) }
    t.strictSame(await send(page, `${server.url}/submit/transfer`, simple), withheld)
    const opaque = await send(page, `${server.url}/submit/transfer`, { ...simple, mode: 'no-cors' })
    t.match(opaque, { type: 'opaque', status: 0, headers: {}, body: '' })
    t.strictSame(executions(), [[feeId, 1]])
    t.ok(refusals.every(refusal => refusal.startsWith('403 ')))
    t.match(server.output, /"code":"ORIGIN_BLOCKED"/)
  })
})

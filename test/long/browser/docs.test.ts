import type { Locator, Page } from 'playwright-core'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { startServer } from '../../helpers/server-process.ts'
import { test } from '../../helpers/tap.ts'
import { assertClean, startBrowser } from './browser.ts'

/** Operations that need an API key. */
const needKeys = ['/submissions', '/webhooks/redeliver']

/** Settings that also check signatures, which the examples must pass. */
const SETTINGS = { NODE_ENV: 'development', SERVICE_APPROVAL_CHECK: 'enforce' }

test('the API documentation in a browser', async t => {
  const network = await startNetwork(t)
  const { url, saw } = await startServer(t, testEnv(t, network, SETTINGS))
  await saw(/"msg":"engine ready"/)
  const openTab = await startBrowser(t)

  await t.test('every operation can be tried out with its prefilled values', async t => {
    const tab = await openTab(t)
    const { page } = tab
    await page.goto(`${url}/docs/`)
    await page.locator('.opblock').first().waitFor()
    const listed = await page.evaluate<[method: string, route: string][]>(`
      Array.from(document.querySelectorAll('.opblock-summary'), summary => [
        summary.querySelector('.opblock-summary-method').textContent,
        summary.querySelector('.opblock-summary-path').dataset.path
      ])`)
    // Skips webhooks, which are listed by event name and cannot be tried out.
    const operations = listed.filter(([, route]) => route.startsWith('/'))
    t.ok(operations.length > 20)
    const unknown: string[] = []
    for (const [method, route] of operations) {
      const operation = await tryOut(page, method, route)
      const { status, body } = await execute(operation)
      if (status === 404) unknown.push(route)
      else t.equal(status, needKeys.includes(route) ? 401 : 200, `${method} ${route}`, { body })
      await operation.locator('.opblock-summary-control').click()
    }
    t.ok(
      unknown.every(route => /^\/(submissions|tx|swap_tx)\//.test(route)),
      'only operations whose path contains an example id return 404',
      { unknown }
    )
    t.strictSame(tab.errors, [])
  })

  await t.test('submits the example transfer with the feeId of a new quote', async t => {
    const tab = await openTab(t)
    const { page } = tab
    await page.goto(`${url}/docs`)
    const quoted = JSON.parse((await execute(await tryOut(page, 'GET', '/submit/fees'))).body)
    const submission = await tryOut(page, 'POST', '/submit/transfer')
    const field = submission.locator('textarea')
    const filledIn = JSON.parse(await field.inputValue())
    const { submitAmount } = quoted.transactionValues.feeFromOrigin
    t.match(filledIn, { amount: submitAmount, fee: quoted.feeTotalBigInt })
    const options = JSON.stringify({ ...JSON.parse(filledIn.options), feeId: quoted.feeId })
    await field.fill(JSON.stringify({ ...filledIn, options }))
    const { status, body } = await execute(submission)
    t.equal(status, 200, 'the submission returns 200', { body })
    assertClean(t, tab)
  })
})

/** Opens an operation and clicks "Try it out". */
async function tryOut(page: Page, method: string, route: string): Promise<Locator> {
  const operation = page
    .locator(`.opblock-${method.toLowerCase()}`)
    .filter({ has: page.locator(`[data-path="${route}"]`) })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

/** Executes an operation with its current values. */
async function execute(operation: Locator): Promise<{ status: number; body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table .response')
  return {
    status: Number.parseInt(await response.innerText(), 10),
    body: await response.locator('.microlight').first().innerText()
  }
}

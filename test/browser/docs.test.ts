import { startNetwork, testEnv } from '../helpers/app.ts'
import { assertClean, startBrowser } from '../helpers/browser.ts'
import { startServer } from '../helpers/server-process.ts'
import { test } from '../helpers/tap.ts'

test('the API documentation in a browser', async t => {
  const network = await startNetwork(t)
  const { url } = await startServer(t, testEnv(t, network, { NODE_ENV: 'development' }))
  const openTab = await startBrowser(t)

  for (const path of ['/docs', '/docs/']) {
    await t.test(`${path} sends requests and shows their answers`, async t => {
      const tab = await openTab(t)
      const { page } = tab
      await page.goto(url + path)

      for (const [route, answer] of [
        ['/health', 'ok'],
        ['/chains/env', '"env": "testnet"']
      ] as const) {
        const operation = page.locator('.opblock', { has: page.getByText(route, { exact: true }) })
        await operation.locator('.opblock-summary-control').click()
        await operation.getByRole('button', { name: 'Try it out' }).click()
        await operation.getByRole('button', { name: 'Execute' }).click()
        const response = operation.locator('.live-responses-table .response')
        t.match(await response.innerText(), /^200\b/)
        t.match(await response.locator('.microlight').first().innerText(), answer)
      }
      assertClean(t, tab)
    })
  }

  await t.test('it has a title and an icon of its own, and no logo', async t => {
    const tab = await openTab(t)
    const { page } = tab
    await page.goto(`${url}/docs`)
    await page.getByRole('heading', { name: 'Transaction back end' }).waitFor()
    t.equal(await page.title(), 'Transaction back end: API')
    t.equal(await page.locator('link[rel=icon]').count(), 1)
    t.match(await page.locator('link[rel=icon]').getAttribute('href'), '/docs/static/theme/icon.svg')
    t.equal(await page.locator('img').count(), 0)
    t.equal(await page.locator('.topbar').count(), 0)
    assertClean(t, tab)
  })
})

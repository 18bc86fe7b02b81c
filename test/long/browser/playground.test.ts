import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { EvmChainName } from '../../../packages/devnet/evm/names.ts'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { STRICT, startNetwork, testEnv } from '../../helpers/app.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'
import { assertAccessible } from './accessibility.ts'
import { assertClean, startBrowser, type Tab } from './browser.ts'
import { approvedAmounts, injectWallet } from './evm-wallet.ts'

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

type Run = (t: Test, page: Page) => Promise<void>
interface PageOptions {
  device?: object
  refused?: string[]
}

async function playground(t: Test, settings: Record<string, string> = {}, evm: EvmChainName[] = []) {
  const network = await startNetwork(t, {
    evm,
    killServer() {
      server.kill('SIGKILL')
      void startServer(t, env)
    }
  })
  const fees = { SERVICE_BACKEND_FEE_URL: `${network.urls.fees}/v3` }
  const port = await freePort('127.0.0.1')
  const env = testEnv(t, network, {
    NODE_ENV: 'development',
    PORT: String(port),
    SERVICE_WEBHOOK_URL: `http://127.0.0.1:${port}/playground/webhooks`,
    SERVICE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...STRICT,
    ...(settings['SERVICE_RESPONSE_FORMAT'] === 'widget' && fees),
    ...settings
  })
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const openTab = await startBrowser(t)
  async function open(t: Test, options?: object, query = ''): Promise<Tab> {
    // Retries because a busy server might reject the request for the page's script.
    return until(async () => {
      // Screenshots must not capture animations.
      const tab = await openTab(t, { reducedMotion: 'reduce', ...options })
      await tab.page.goto(`${server.url}/playground${query}`)
      return (await tab.page.getByRole('heading', { level: 1 }).isVisible()) && tab
    }, 'the page is rendered')
  }
  return {
    network,
    executions: () => [...readChain(network, network.addresses.development).executions.values()],
    open,
    /** Runs a test on a new page, which must have no errors at the end except the error responses in `refused`. */
    onPage: (t: Test, title: string, { device, refused }: PageOptions, run: Run) =>
      t.test(title, async t => {
        const tab = await open(t, device)
        await run(t, tab.page)
        assertClean(t, tab, refused)
      })
  }
}

const OVERLOADED = { statusCode: 503, code: 'OVERLOADED', error: 'Service Unavailable', message: 'busy' }

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const step = (page: Page, name: string) => page.getByRole('region', { name })

/** Presses the button again, as a user would, if the server on a busy machine rejects the request as overloaded. */
async function quote(page: Page): Promise<void> {
  const overloaded = page.getByRole('alert').getByText('OVERLOADED')
  do {
    await press(page, 'Get a quote')
    await step(page, 'Quote').getByText('Expires in').or(overloaded).first().waitFor()
  } while (await overloaded.isVisible())
}

async function finish(page: Page): Promise<void> {
  const last = step(page, 'Watch').getByRole('listitem').filter({ hasText: 'Completed' })
  await last.and(page.locator('[aria-current=step]')).waitFor()
}

const scenarios = [
  { name: 'Crypto transfer', agree: 'Sign the message', path: '/submit/transfer' },
  { name: 'Card payment', agree: 'Start a payment', path: '/submit/transfer' },
  { name: 'Bank payment', agree: 'Start a payment', path: '/submit/transfer' },
  { name: 'Token swap', agree: 'Sign the message', path: '/submit/swap' }
]

test('the playground', async t => {
  const { network, open, onPage, executions } = await playground(t)

  for (const { name, agree, path } of scenarios) {
    await onPage(t, `${name}: completes a transfer, starting with a quote`, {}, async (t, page) => {
      await press(page, name)
      await assertAccessible(t, page, 'the transfer')
      await quote(page)
      await assertAccessible(t, page, 'the quote')
      await press(page, agree)
      await enabled(page, 'Submit')
      await assertAccessible(t, page, 'what is approved')
      const sent = page.waitForRequest(request => request.method() === 'POST')
      await press(page, 'Submit')
      t.equal(new URL((await sent).url()).pathname, path)
      await finish(page)
      await assertAccessible(t, page, 'the completed transfer')
      const paid = step(page, 'Watch').getByRole('listitem').filter({ hasText: 'Paid' })
      t.match(await paid.getByRole('link').getAttribute('href'), /^https:\/\/.+\/tx\/\w+/)
    })
  }
  t.strictSame(executions(), [1, 1, 1, 1])

  const unconfirmed = { refused: ['404 POST /btc/htlc/record'] }
  await onPage(t, 'a Bitcoin transfer waits for the lock’s confirmations', unconfirmed, async (t, page) => {
    const before = executions().length
    await press(page, 'Bitcoin transfer')
    await quote(page)
    await press(page, 'Lock the bitcoins')
    await step(page, 'Lock').getByRole('status').getByText('confirmations').waitFor()
    await assertAccessible(t, page, 'a lock without confirmations')
    t.equal(await page.getByRole('button', { name: 'Submit', exact: true, disabled: false }).count(), 0)
    network.bitcoin.mine(3)
    await press(page, 'Submit')
    await finish(page)
    t.strictSame(executions().slice(before), [1])
    const txid = step(page, 'Lock').getByText(/^[0-9a-f]{64}$/)
    t.ok(network.bitcoin.spenders.has(`${await txid.innerText()}:0`), 'the pool has pulled the lock')
  })

  await onPage(t, 'the user can pay the fees on the target chain', {}, async (t, page) => {
    await quote(page)
    await unfold(page, 'quote')
    await keepPicture(page, 'light', 'quote')
    await keepPicture(page, 'dark', 'quote')
    await page.getByRole('radio', { name: 'Fee at target' }).check()
    await submit(page)
    await finish(page)
    t.equal(await page.getByRole('figure', { name: 'Response of Watch' }).isVisible(), false)
    await unfold(page, 'status')
    const received = await page.getByRole('figure', { name: 'Response of Watch' }).innerText()
    t.match(received, /event: state\ndata: \{\n {2}"data": \{\n.*"txstatus": "Completed"/s)
  })

  await onPage(t, 'everything works with the keyboard only', {}, async (t, page) => {
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the steps')
    for (const [name, next] of [
      ['Get a quote', 'quote'],
      ['Sign the message', 'submission'],
      ['Submit', 'status'],
      ['Start another transfer', 'transfer']
    ] as const) {
      await enabled(page, name)
      await tabTo(page, name)
      await page.keyboard.press('Enter')
      await page.locator(`#${next}-title:focus`).waitFor()
    }
    await enabled(page, 'Get a quote')
    await tabTo(page, 'Get a quote')
  })

  await t.test('a transfer has a link, and webhooks appear as they arrive', async t => {
    const tab = await open(t)
    const { page } = tab
    const steps = page.locator('.step[data-open="true"]')
    t.equal(await steps.count(), 1, 'only the current step is open')
    await complete(page)
    t.equal(await steps.count(), 5)
    await step(page, 'Watch').getByText('transfer.finished', { exact: true }).click()
    const webhook = page.getByRole('figure', { name: 'Webhook transfer.finished' })
    t.match(await webhook.innerText(), /webhook-id.*msg_.*"txstatus": "Completed"/s)
    await assertAccessible(t, page, 'a webhook')
    const { search } = new URL(page.url())
    t.match(search, /^\?transfer=\d+$/)
    assertClean(t, tab)

    const other = await open(t, {}, search)
    await finish(other.page)
    await step(other.page, 'Watch').getByText('transfer.finished', { exact: true }).waitFor()
    t.match(await step(other.page, 'Watch').getByRole('link').first().getAttribute('href'), /\/tx\/0x/)
    await assertAccessible(t, other.page, 'a page opened from a transfer’s link')
    await press(other.page, 'Start another transfer')
    await quote(other.page)
    t.equal(new URL(other.page.url()).search, '')
    assertClean(t, other)
  })

  await t.test('after the link of an unknown transfer, the user can start another one', async t => {
    const { page, errors } = await open(t, {}, '?transfer=999999')
    await step(page, 'Watch').getByRole('alert').getByText('NOT_FOUND').waitFor()
    await press(page, 'Start another transfer')
    await quote(page)
    t.equal(new URL(page.url()).search, '')
    t.strictSame(errors, [])
  })

  await onPage(t, 'after a transfer without a txId, the user can start another one', {}, async (t, page) => {
    const json = { submissionId: 'x', status: 'committed' }
    const body = `event: state\ndata: ${JSON.stringify(json)}\n\n`
    await page.route('**/submit/transfer', route => route.fulfill({ status: 202, json }))
    const events = { contentType: 'text/event-stream', body }
    await page.route('**/submissions/x/events', route => route.fulfill(events))
    await quote(page)
    await submit(page)
    await step(page, 'Watch').getByText('its txId is unknown').waitFor()
    await assertAccessible(t, page, 'nothing to watch')
    await press(page, 'Start another transfer')
    await enabled(page, 'Get a quote')
  })

  await onPage(t, 'the page fits a phone screen', { device: PHONE }, async (t, page) => {
    const fits = async (state: string) =>
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, state)
    await fits('the transfer')
    await quote(page)
    await fits('the quote')
    await keepPicture(page, 'phone', 'quote')
    await submit(page)
    await finish(page)
    await fits('the completed transfer')
    for (const id of ['transfer', 'quote', 'approval', 'submission', 'status']) {
      await unfold(page, id)
      await fits(`the request and response of ${id}`)
    }
    await assertAccessible(t, page, 'the completed transfer')
  })

  await onPage(t, 'a failed transfer is not marked as done', {}, async (t, page) => {
    await page.getByLabel('Outcome').selectOption('The pull fails')
    await quote(page)
    await submit(page)
    await step(page, 'Watch').locator('[data-state=failed]').getByText('FailedToPull').waitFor()
    t.equal(await page.locator('#status').getAttribute('data-done'), 'false')
  })

  const correct = 'Correct the field in step 1, and get a quote.'
  const NOT_COMPLIANT = ['Refused: not compliant', 'NOT_COMPLIANT', correct]
  const FAILING = ['Refused: the compliance provider fails', 'UPSTREAM_ERROR', 'Ask again in a moment.']
  const failing = { refused: ['502 GET /compliant'] }
  await onPage(t, 'after a rejected address, the user can choose another one', failing, async (t, page) => {
    const before = executions().length
    const address = page.getByRole('textbox', { name: 'Target address' })
    for (const [outcome = '', code = '', advice = ''] of [NOT_COMPLIANT, FAILING]) {
      await page.getByLabel('Outcome').selectOption(outcome)
      await press(page, 'Get a quote')
      await step(page, 'Quote').getByRole('alert').getByText(code).waitFor()
      await step(page, 'Quote').getByText(advice, { exact: true }).waitFor()
      t.equal(await address.getAttribute('aria-invalid'), code === 'NOT_COMPLIANT' ? 'true' : null)
      t.equal(await page.getByRole('button', { name: 'Sign the message' }).count(), 0, 'nothing to sign')
      await assertAccessible(t, page, code)
    }
    t.equal(executions().length, before)
    await page.getByLabel('Outcome').selectOption('Completed')
    await complete(page)
    t.strictSame(executions().slice(before), [1])
  })
})

test('on real EVM chains the playground approves before it submits', async t => {
  const { network, onPage } = await playground(t, {}, ['ETH', 'OPT', 'POL'])
  const { evm } = network
  const [eth, opt] = [evm?.chain('ETH'), evm?.chain('OPT')]
  if (evm === undefined || eth === undefined || opt === undefined) throw new Error('no EVM chains')
  const approve = async (page: Page) => {
    await quote(page)
    t.equal(await page.getByRole('button', { name: 'Sign the message', exact: true }).isDisabled(), true)
    await press(page, 'Approve the allowance')
    await enabled(page, 'Sign the message')
  }

  const overloaded = { refused: ['503 GET /playground/rpc'] }
  await onPage(t, 'loads the nodes again if the first request fails', overloaded, async (t, page) => {
    const busy = { status: 503, json: OVERLOADED }
    await page.route('**/playground/rpc', route => route.fulfill(busy), { times: 1 })
    await page.reload()
    await press(page, 'Load the chains again')
    await quote(page)
    t.equal(await page.getByRole('button', { name: 'Approve the allowance' }).count(), 1)
  })

  await onPage(t, 'a throw-away key gets tokens, and its balance is shown', {}, async (t, page) => {
    await page.getByLabel('To chain').selectOption('BASE')
    await approve(page)
    await page.getByText('What the wallet sends').click()
    const shown = await step(page, 'Sign').innerText()
    t.match(shown, /"to": "0xfead.*"data": "0x095ea7b3.*Transaction\s+0x\w{64}/s)
    await assertAccessible(t, page, 'an approval')
    await submit(page)
    await finish(page)
    const balances = step(page, 'Watch').getByText(/payer’s balance: 100\.4\d* USDT before, \S+ USDT after/)
    await balances.waitFor()
    t.equal(await page.getByText('balance of the target address').count(), 0, 'no node of BASE')
    t.match((await approvedAmounts(eth, 'USDT', evm.pool)).map(String), [/^1004\d{5}$/])
  })

  await onPage(t, 'a browser wallet approves for Permit2 and signs the permit', {}, async (t, page) => {
    await injectWallet(page, evm)
    await page.reload()
    await page.getByRole('radio', { name: 'Browser wallet' }).click()
    await page.getByText(evm.user.address, { exact: true }).waitFor()
    await page.getByLabel('From chain').selectOption('OPT')
    await approve(page)
    t.equal((await approvedAmounts(opt, 'USDT', opt.permit2)).length, 1)
    const sent = page.waitForRequest(/\/submit\/transfer$/)
    await submit(page)
    const { options } = JSON.parse((await sent).postData() ?? '')
    t.match(JSON.parse(options).permit2, { r: /^0x\w{64}$/, s: /^0x\w{64}$/, v: /^2[78]$/, deadline: Number })
    await finish(page)
    const received = /balance of the target address: \S+ USDC before, \S+ USDC after/
    await step(page, 'Watch').getByText(received).waitFor()
  })
})

test('the development network executes a transfer once, whichever fault is injected', async t => {
  const { open, executions } = await playground(t)
  for (const [index, fault] of ['Lose the response', 'Let the node lie', 'Kill the leader'].entries()) {
    const { page, errors } = await open(t)
    await quote(page)
    await press(page, 'Sign the message')
    await press(page, fault)
    await finish(page)
    await step(page, 'Submit').getByText('executed: 1', { exact: true }).waitFor()
    t.strictSame(executions(), Array(index + 1).fill(1), fault)
    const isKilled = fault === 'Kill the leader'
    t.equal(errors.length > 0, isKilled, 'the page loses its server only when it is killed')
    if (!isKilled) await assertAccessible(t, page, fault)
  }
})

const unfold = (page: Page, id: string) => page.locator(`#${id} .step-body > details > summary`).click()

async function enabled(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true, disabled: false }).waitFor()
}

async function submit(page: Page): Promise<void> {
  await press(page, 'Sign the message')
  await press(page, 'Submit')
}

async function complete(page: Page): Promise<void> {
  await quote(page)
  await submit(page)
  await finish(page)
}

async function tabTo(page: Page, name: string): Promise<void> {
  const focused = page.getByRole('button', { name, exact: true }).and(page.locator(':focus'))
  for (let stops = 0; stops < 100; stops += 1) {
    if ((await focused.count()) === 1) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key does not reach the button "${name}"`)
}

/** Saves a screenshot of a step for the documentation, but only when run by `npm run screenshots`. */
async function keepPicture(page: Page, name: 'light' | 'dark' | 'phone', step: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  await page.emulateMedia({ colorScheme: name === 'dark' ? 'dark' : 'light' })
  await page.evaluate(`document.getElementById('${step}').scrollIntoView({ behavior: 'instant' })`)
  await page.screenshot({ path: join(folder, `playground-${name}.png`), animations: 'disabled' })
}

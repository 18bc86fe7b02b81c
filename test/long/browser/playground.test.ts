import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { freePort } from '../../../packages/devnet/free-port.ts'
import { assertAccessible } from '../../helpers/accessibility.ts'
import { startNetwork, testEnv } from '../../helpers/app.ts'
import { assertClean, startBrowser, type Tab } from '../../helpers/browser.ts'
import { readChain } from '../../helpers/oracle/index.ts'
import { startServer } from '../../helpers/server-process.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { WEBHOOK_SECRET } from '../../helpers/webhook-receiver.ts'

/** Every check that a service can make of a submission: the page passes them all. */
const STRICT = { SERVICE_QUOTE_CHECK: 'required', SERVICE_APPROVAL_CHECK: 'enforce' }

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** Keeps how far the page's parts jump, in the unit of the layout-shift entries. */
const keepShifts = `
  window.shifts = []
  new PerformanceObserver(list => shifts.push(...list.getEntries()))
    .observe({ type: 'layout-shift', buffered: true })`

async function playground(t: Test, settings: Record<string, string> = {}) {
  const network = await startNetwork(t)
  const port = await freePort('127.0.0.1')
  const env = testEnv(t, network, {
    NODE_ENV: 'development',
    PORT: String(port),
    SERVICE_WEBHOOK_URL: `http://127.0.0.1:${port}/playground/webhooks`,
    SERVICE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...STRICT,
    ...settings
  })
  const server = await startServer(t, env)
  await server.saw(/"msg":"engine ready"/)
  const openTab = await startBrowser(t)
  return {
    executions: () => [...readChain(network, network.addresses.development).executions.values()],
    async open(t: Test, options?: object, query = ''): Promise<Tab> {
      // A picture shows nothing that still moves.
      const tab = await openTab(t, { reducedMotion: 'reduce', ...options })
      await tab.page.addInitScript(keepShifts)
      await tab.page.goto(`${server.url}/playground${query}`)
      await tab.page.getByRole('heading', { level: 1 }).waitFor()
      return tab
    }
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const step = (page: Page, name: string) => page.getByRole('region', { name })

/** Waits until the quote is there. */
async function quote(page: Page): Promise<void> {
  await press(page, 'Get a quote')
  await step(page, 'Quote').getByText('Expires in').waitFor()
}

/** Waits until the status is the last one that a transfer can have. */
async function finish(page: Page, status = 'Completed'): Promise<void> {
  const last = step(page, 'Watch').getByRole('listitem').filter({ hasText: status })
  await last.and(page.locator('[aria-current=step]')).waitFor()
}

const scenarios = [
  { name: 'Crypto transfer', agree: 'Sign the message', path: '/submit/transfer' },
  { name: 'Card payment', agree: 'Start a payment', path: '/submit/transfer' },
  { name: 'Bank payment', agree: 'Start a payment', path: '/submit/transfer' },
  { name: 'Token swap', agree: 'Sign the message', path: '/submit/swap' }
]

test('the playground', async t => {
  const { open, executions } = await playground(t)

  for (const { name, agree, path } of scenarios) {
    await t.test(`${name}: from a quote to Completed`, async t => {
      const tab = await open(t)
      const { page } = tab
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
      await assertSteady(t, page)
      assertClean(t, tab)
    })
  }
  t.strictSame(executions(), [1, 1, 1, 1])

  await t.test('the fees are paid at the target', async t => {
    const tab = await open(t)
    const { page } = tab
    await quote(page)
    await keepPicture(page, 'light', 'quote')
    await keepPicture(page, 'dark', 'quote')
    await page.getByRole('radio', { name: 'Fee at target' }).check()
    await submit(page)
    await finish(page)
    const line = (state: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.timeline [data-state="${state}"]'), '::before').backgroundColor`
      )
    t.not(await line('past'), await line('to come'), 'the line shows how far the transfer has come')
    t.match(await step(page, 'Watch').innerText(), /Completed after (1 second|(?!1 )\d+ seconds)\n?/)
    assertClean(t, tab)
  })

  await t.test('everything works with the keyboard alone', async t => {
    const tab = await open(t)
    const { page } = tab
    await page.keyboard.press('Tab')
    t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the steps')
    for (const name of ['Get a quote', 'Sign the message', 'Submit']) {
      await enabled(page, name)
      await tabTo(page, name)
      await page.keyboard.press('Enter')
    }
    await finish(page)
    await tabTo(page, 'Start another transfer')
    await page.keyboard.press('Enter')
    await enabled(page, 'Get a quote')
    await tabTo(page, 'Get a quote')
    assertClean(t, tab)
  })

  await t.test('each step shows its request and the response', async t => {
    const tab = await open(t)
    const { page } = tab
    await page.getByRole('textbox', { name: 'Amount' }).fill('1234.5')
    await quote(page)
    await step(page, 'Quote').getByText('1,234.5 USDC').first().waitFor()
    await submit(page)
    await finish(page)
    for (const [name, request, response] of [
      [
        'Transfer',
        /curl http.*\/chains$/m,
        /^200 OK\s+\d+ ms\s.*content-type\s*application\/json.*etag.*Show all \d+ lines/s
      ],
      ['Quote', /amount=1234\.5/, /200 OK.*x-request-id.*"feeId"/s],
      ['Sign', /\/chains\/pool/, /200 OK.*"poolAddress"/s],
      ['Submit', /"feeId/, /200 OK.*"txId": \d+/s],
      ['Watch', /\/events/, /200 OK.*text\/event-stream.*"txstatus":"Completed"/s]
    ] as const) {
      t.match(await page.getByRole('figure', { name: `Request of ${name}` }).innerText(), request)
      t.match(await page.getByRole('figure', { name: `Response of ${name}` }).innerText(), response)
    }
    const response = page.getByRole('figure', { name: 'Response of Quote' })
    const { height = 0 } = (await response.boundingBox()) ?? {}
    await response.getByRole('button', { name: /Show all/ }).click()
    const { height: opened = 0 } = (await response.boundingBox()) ?? {}
    t.ok(opened > height * 1.5, 'a long body unfolds')
    assertClean(t, tab)
  })

  await t.test('a transfer has a link, and its webhooks show as they come', async t => {
    const tab = await open(t)
    const { page } = tab
    const steps = page.locator('.step[data-open="true"]')
    t.equal(await steps.count(), 1, 'steps open when they are reached')
    await quote(page)
    await submit(page)
    await finish(page)
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
    await assertAccessible(t, other.page, 'a page that was opened for a transfer')
    await press(other.page, 'Start another transfer')
    await quote(other.page)
    t.equal(new URL(other.page.url()).search, '')
    assertClean(t, other)
  })

  await t.test('it fits a phone', async t => {
    const tab = await open(t, PHONE)
    const { page } = tab
    const fits = async (state: string) =>
      t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, state)
    await fits('the transfer')
    await quote(page)
    await fits('the quote')
    await keepPicture(page, 'phone', 'quote')
    await submit(page)
    await finish(page)
    await fits('the completed transfer')
    await assertSteady(t, page)
    for (const name of ['Transfer', 'Quote', 'Sign', 'Submit', 'Watch']) {
      await press(page, `Request and response of ${name}`)
      await fits(`the request and response of ${name}`)
    }
    await assertAccessible(t, page, 'the completed transfer')
    assertClean(t, tab)
  })

  await t.test('a lost answer: the transfer is submitted again, and executed once', async t => {
    const { page, refusals } = await open(t)
    const before = executions().length
    await page.route(
      '**/submit/transfer',
      async route => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 }
    )
    await quote(page)
    await submit(page)
    await finish(page)
    t.strictSame(executions().slice(before), [1])
    t.strictSame(refusals, [])
  })

  await t.test('an amount that does not cover its fees', async t => {
    const tab = await open(t)
    const { page } = tab
    await page.getByRole('textbox', { name: 'Amount' }).fill('0.0001')
    await press(page, 'Get a quote')
    const alert = page.getByRole('alert')
    await alert.getByText('QUOTE_REFUSED').waitFor()
    t.match(await alert.innerText(), 'does not cover the fees')
    await assertAccessible(t, page, 'a quote that is refused')
    assertClean(t, tab, ['400 GET /submit/fees'])
  })

  await t.test('an amount that is none: its field says so', async t => {
    const tab = await open(t)
    const { page } = tab
    const amount = page.getByRole('textbox', { name: 'Amount' })
    await amount.fill('ten')
    await press(page, 'Get a quote')
    await page.getByRole('alert').getByText('VALIDATION').waitFor()
    t.equal(await amount.getAttribute('aria-invalid'), 'true')
    await page.getByText('Must be a number above zero', { exact: false }).first().waitFor()
    t.notMatch(await page.locator('main').innerText(), /pattern/, 'in words')
    await assertAccessible(t, page, 'a field with an error')
    assertClean(t, tab, ['400 GET /submit/fees'])
  })

  await t.test('a quote that expires: a new one is a click away', async t => {
    const tab = await open(t)
    const { page } = tab
    await quote(page)
    await press(page, 'Sign the message')
    await enabled(page, 'Submit')
    await page.clock.setFixedTime(Date.now() + 3_600_000)
    await page.getByText('The quote has expired').waitFor()
    t.ok(await page.getByRole('button', { name: 'Submit', exact: true }).isDisabled())
    await assertAccessible(t, page, 'an expired quote')
    await press(page, 'Get a new one')
    await page.clock.setFixedTime(Date.now())
    await step(page, 'Quote').getByText('Expires in').waitFor()
    assertClean(t, tab)
  })

  await t.test('an address that is refused before anything is signed: another one can be chosen', async t => {
    const tab = await open(t)
    const { page } = tab
    const before = executions().length
    const address = page.getByRole('textbox', { name: 'Target address' })
    for (const [outcome, code] of [
      ['Refused: not compliant', 'NOT_COMPLIANT'],
      ['Refused: the compliance provider fails', 'UPSTREAM_ERROR']
    ] as const) {
      await page.getByLabel('Outcome').selectOption(outcome)
      await press(page, 'Get a quote')
      await step(page, 'Quote').getByRole('alert').getByText(code).waitFor()
      t.equal(await address.getAttribute('aria-invalid'), code === 'NOT_COMPLIANT' ? 'true' : null)
      t.equal(await page.getByRole('button', { name: 'Sign the message' }).count(), 0, 'nothing to sign')
      await assertAccessible(t, page, code)
    }
    await address.fill('0x1234')
    await press(page, 'Get a quote')
    await step(page, 'Quote').getByRole('alert').getByText('ADDRESS_INVALID').waitFor()
    t.equal(await address.getAttribute('aria-invalid'), 'true')
    t.equal(executions().length, before)
    await page.getByLabel('Outcome').selectOption('Completed')
    await quote(page)
    await submit(page)
    await finish(page)
    t.strictSame(executions().slice(before), [1])
    assertClean(t, tab, ['502 GET /compliant', '400 GET /submit/fees'])
  })

  await t.test('a transfer that fails: its status and the reason, and nothing jumps', async t => {
    const tab = await open(t, PHONE)
    const { page } = tab
    await page.getByLabel('Outcome').selectOption('The pull fails')
    await quote(page)
    await submit(page)
    await finish(page, 'FailedToPull')
    await page.getByText('Reason:').waitFor()
    await assertSteady(t, page)
    await assertAccessible(t, page, 'a transfer that fails')
    assertClean(t, tab)
  })

  await t.test('a token that is approved by Permit2: the page says what it cannot do', async t => {
    const tab = await open(t)
    const { page } = tab
    const note = step(page, 'Sign').getByText('is approved by Permit2')
    await quote(page)
    t.equal(await note.count(), 0)
    await page.getByLabel('From chain').selectOption('OPT')
    await quote(page)
    await note.waitFor()
    await submit(page)
    await step(page, 'Submit').getByRole('alert').getByText('OPTIONS_INVALID').waitFor()
    assertClean(t, tab, ['400 POST /submit/transfer'])
  })

  await t.test('a service without chains: the page says so', async t => {
    const tab = await open(t)
    const { page } = tab
    for (const [json, code] of [
      [{}, 'UNREADABLE'],
      [[], 'NO_CHAINS']
    ] as const) {
      await page.route('**/chains', route => route.fulfill({ json }))
      await page.reload()
      await step(page, 'Transfer').getByRole('alert').getByText(code).waitFor()
      t.ok(await page.getByRole('button', { name: 'Get a quote' }).isDisabled())
      await assertAccessible(t, page, code)
      await page.unroute('**/chains')
    }
    await press(page, 'Load the chains again')
    await quote(page)
    assertClean(t, tab)
  })

  await t.test('a page that may store nothing: the theme can be chosen', async t => {
    const tab = await open(t)
    const { page } = tab
    await page.addInitScript(`
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })`)
    await page.reload()
    await press(page, 'Dark theme')
    t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    assertClean(t, tab)
  })

  await t.test('wallets that announce themselves, one of them late', async t => {
    const tab = await open(t)
    const { page } = tab
    await page.addInitScript(`
      window.answers = {}
      window.announce = name => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
        detail: {
          info: { uuid: name, name, icon: 'data:,', rdns: 'example.wallet' },
          provider: { request: ({ method }) => window.answers[name][method]() }
        }
      }))
      addEventListener('eip6963:requestProvider', () => {
        announce('First')
        announce('First')
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: null }))
      })`)
    await page.reload()
    const group = page.getByRole('group', { name: 'Paying wallet' })
    t.strictSame(
      await group.getByRole('radio').count(),
      2,
      'the one that announced itself twice is there once'
    )
    await page.evaluate(`announce('Second')`)
    await page.evaluate(`answers.Second = {
      eth_requestAccounts: () => new Promise(resolve => {
        window.allow = () => resolve(['0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'])
      }),
      personal_sign: () => new Promise(() => {})
    }`)

    await group.getByRole('radio', { name: 'Second' }).click()
    await group.locator('..').getByText('Waiting for Second').waitFor()
    await assertAccessible(t, page, 'a wallet that asks for leave')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    t.ok(await group.getByRole('radio', { name: 'Throw-away key' }).isChecked())
    t.equal(await page.evaluate('document.activeElement.id'), 'transfer-title')

    await group.getByRole('radio', { name: 'Second' }).click()
    await page.evaluate('allow()')
    await page.getByText('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', { exact: true }).waitFor()
    await quote(page)
    await press(page, 'Sign the message')
    const sign = step(page, 'Sign')
    await sign.getByText('Waiting for Second').waitFor()
    await assertAccessible(t, page, 'a wallet that asks for a signature')
    await sign.getByRole('button', { name: 'Cancel' }).press('Enter')
    await sign.getByText('Waiting for Second').waitFor({ state: 'detached' })
    t.equal(await page.evaluate('document.activeElement.id'), 'approval-title')
    await assertSteady(t, page)
    assertClean(t, tab)
  })

  await t.test('a button that goes away leaves the focus in its step', async t => {
    const { page } = await open(t)
    const focused = () => page.evaluate('document.activeElement.id')
    await page.route('**/submit/fees*', route => route.fulfill({ body: '<html>' }))
    await press(page, 'Get a quote')
    const again = page.getByRole('button', { name: 'Ask again' })
    await again.waitFor()
    await page.unroute('**/submit/fees*')
    await again.press('Enter')
    await step(page, 'Quote').getByText('Expires in').waitFor()
    t.equal(await focused(), 'quote-title')

    // It never answers.
    await page.route('**/submit/transfer', () => {})
    await submit(page)
    await page.getByRole('button', { name: 'Stop' }).press('Enter')
    await step(page, 'Submit').getByRole('alert').waitFor()
    t.equal(await focused(), 'submission-title')
  })

  await t.test('what is chosen shows in the colours of the system too', async t => {
    const { page } = await open(t, { forcedColors: 'active' })
    const ground = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
    for (const [chosen, other] of [
      ['.choice :checked + span', '.choice :not(:checked) + span'],
      ['.scenarios [aria-pressed=true]', '.scenarios [aria-pressed=false]'],
      ['.tabs [aria-selected=true]', '.tabs [aria-selected=false]'],
      ['.steps [aria-current]', '.steps a:not([aria-current])'],
      ['[data-current=true] .step-mark', '[data-current=false] .step-mark']
    ] as const) {
      t.not(await ground(chosen), await ground(other), chosen)
    }
  })

  await t.test('a wallet that returns anything: nothing but a signature is taken for one', async t => {
    const { page } = await open(t)
    await page.addInitScript(`
      window.answers = {}
      window.ethereum = { request: ({ method }) => window.answers[method]() }`)
    await page.reload()
    const answer = (method: string, body: string) =>
      page.evaluate(`window.answers.${method} = async () => { ${body} }`)
    const refusal = page.getByRole('alert').locator('.problem-message')
    const accountsAre = async (body: string, words: string) => {
      await answer('eth_requestAccounts', body)
      await page.getByRole('radio', { name: 'Browser wallet' }).click()
      await refusal.getByText(words).waitFor()
      t.ok(await page.getByRole('radio', { name: 'Throw-away key' }).isChecked(), body)
    }
    const account = `return ['0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc']`
    await answer(
      'eth_requestAccounts',
      `await new Promise(resolve => { window.allow = resolve }); ${account}`
    )
    await page.getByRole('radio', { name: 'Browser wallet' }).click()
    await page.getByRole('radio', { name: 'Throw-away key' }).click()
    await quoteAgain(page)
    await page.evaluate('window.allow()')
    await press(page, 'Sign the message')
    await enabled(page, 'Submit')
    t.ok(await page.getByRole('radio', { name: 'Throw-away key' }).isChecked(), 'a late answer is ignored')

    await accountsAre('throw { code: 4001, message: { en: 1 } }', 'it gave no reason')
    await accountsAre(`return ['<b>an account</b>']`, 'it has no account for this page')

    await answer('eth_requestAccounts', account)
    await page.getByRole('radio', { name: 'Browser wallet' }).click()
    for (const body of ['return { r: 1 }', 'return null', `return '0x'`]) {
      await quoteAgain(page)
      await answer('personal_sign', body)
      await press(page, 'Sign the message')
      await refusal.getByText('what it returned is no signature').waitFor()
      t.equal(await page.getByRole('button', { name: 'Submit', exact: true }).count(), 0, body)
    }
  })
})

test('the playground reads the answers for newer widgets', async t => {
  const { open } = await playground(t, { SERVICE_RESPONSE_FORMAT: 'widget', SERVICE_FEE_API: 'v3' })
  for (const name of ['Crypto transfer', 'Token swap']) {
    await t.test(name, async t => {
      const tab = await open(t)
      await press(tab.page, name)
      await quote(tab.page)
      await submit(tab.page)
      await finish(tab.page)
      assertClean(t, tab)
    })
  }
})

/** Waits for a quote that no refusal stands beside. */
async function quoteAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Get a (new )?quote$/ }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await enabled(page, 'Sign the message')
}

/** Waits until a button can be pressed. */
async function enabled(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true, disabled: false }).waitFor()
}

/** Signs and submits. */
async function submit(page: Page): Promise<void> {
  await press(page, 'Sign the message')
  await press(page, 'Submit')
}

/** Moves the focus with the Tab key until a button has it. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = page.getByRole('button', { name, exact: true }).and(page.locator(':focus'))
  for (let stops = 0; stops < 100; stops += 1) {
    if ((await focused.count()) === 1) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to ${name}`)
}

/** Asserts that nothing in the steps that are open jumps, also not right after an input. What is below a step that opens moves. */
async function assertSteady(t: Test, page: Page): Promise<void> {
  const shifts = await page.evaluate<{ value: number; parts: string[] }[]>(`shifts
    .map(({ value, sources }) => ({
      value,
      parts: sources
        .filter(({ node }) => (node?.closest ? node : node?.parentElement)?.closest('.step-body, .steps'))
        .map(({ node }) => (node.outerHTML ?? node.textContent).slice(0, 80))
    }))
    .filter(({ parts }) => parts.length > 0)`)
  const sum = shifts.reduce((sum, { value }) => sum + value, 0)
  t.ok(sum < 0.1, 'nothing jumps', { shifts })
}

/** Keeps a picture of a step for the documents, where `npm run screenshots` says. */
async function keepPicture(page: Page, name: 'light' | 'dark' | 'phone', step: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  await page.emulateMedia({ colorScheme: name === 'dark' ? 'dark' : 'light' })
  await page.evaluate(`document.getElementById('${step}').scrollIntoView({ behavior: 'instant' })`)
  await page.screenshot({ path: join(folder, `playground-${name}.png`), animations: 'disabled' })
}

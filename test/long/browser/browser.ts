import { execFileSync } from 'node:child_process'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { PATIENCE_MS } from '../../helpers/until.ts'

export type Tab = ReturnType<typeof observe>

/** Start of Chromium's console line for an error response, which `refusals` already records. */
const refusedLine = 'Failed to load resource: the server responded with a status of '

/** A quote that a busy machine's server rejects, for which the tests ask again. They do not ask after any other 503. */
const OVERLOADED = '503 GET /submit/fees'

/**
 * Starts Chromium. Only `.example` names resolve, all to this machine: pages can have different origins but cannot load
 * anything from the internet. @returns a function that opens a page, which is closed when its test ends
 */
export async function startBrowser(t: Test) {
  const browser = await chromium.launch({
    executablePath: execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim(),
    args: [
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'
    ]
  })
  t.teardown(() => browser.close())
  return async (t: Test, options?: BrowserContextOptions) => {
    const context = await browser.newContext(options)
    t.teardown(() => context.close())
    context.setDefaultTimeout(PATIENCE_MS)
    return observe(await context.newPage())
  }
}

/** Keeps a record of the errors of a page in its own browser context, like a new visitor's. */
function observe(page: Page) {
  const tab = {
    page,
    /** Console errors and warnings, uncaught errors, and requests without a response. */
    errors: [] as string[],
    /** Responses with status 400 or higher, such as `403 GET /health`, except OVERLOADED. */
    refusals: [] as string[],
    /** The origins of all requests from the page, in the order of their first request. */
    origins: new Set<string>()
  }
  page.on('console', message => {
    if (!['error', 'warning'].includes(message.type()) || message.text().startsWith(refusedLine)) return
    tab.errors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', error => tab.errors.push(error.stack ?? error.message))
  page.on('requestfailed', request => {
    const reason = request.failure()?.errorText
    // net::ERR_ABORTED means that the page itself aborted the request.
    if (reason !== 'net::ERR_ABORTED') tab.errors.push(`${reason}: ${request.method()} ${request.url()}`)
  })
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http')) tab.origins.add(origin)
  })
  page.on('response', response => {
    if (response.status() < 400) return
    const refusal = `${response.status()} ${response.request().method()} ${new URL(response.url()).pathname}`
    if (refusal !== OVERLOADED) tab.refusals.push(refusal)
  })
  return tab
}

/**
 * Asserts that a page has no errors, loaded nothing from other origins, and got exactly the error responses in
 * `refused`, each once or more often: a page polls more often on a slow machine.
 */
export function assertClean(t: Test, { page, errors, refusals, origins }: Tab, refused: string[] = []): void {
  t.strictSame(errors, [], 'the console has no errors')
  t.strictSame([...new Set(refusals)], refused, 'the page got exactly the expected error responses')
  t.strictSame([...origins], [new URL(page.url()).origin], 'everything is loaded from the page’s origin')
}

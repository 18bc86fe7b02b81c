import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

const schemes = ['light', 'dark'] as const

/** Waits for finite animations, which change colours and positions until they end. */
const settled = `Promise.all(
  document.getAnimations()
    .filter(animation => animation.effect?.getComputedTiming().endTime !== Infinity)
    .map(animation => animation.finished.catch(() => {}))
)`

/**
 * Asserts that axe finds nothing serious or critical in the page as it is now, in light and in dark.
 * @param except selects what a package renders
 */
export async function assertAccessible(t: Test, page: Page, state: string, except?: string): Promise<void> {
  const context = except === undefined ? 'document' : `{ exclude: ${JSON.stringify([except])} }`
  // Not as a script element: the page's content security policy would block it.
  await page.evaluate(axe.source)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(settled)
    const { violations } = await page.evaluate<axe.AxeResults>(
      `axe.run(${context}, { resultTypes: ['violations'] })`
    )
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })))
    t.strictSame(serious, [], `${state} is accessible in ${colorScheme}`)
  }
}

import axe from 'axe-core'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'

const schemes = ['light', 'dark'] as const

const audit = "axe.run(document, { resultTypes: ['violations'] })"

/** Script that waits for finite animations, which change colours and positions while they run. */
const settled = `Promise.all(
  document.getAnimations()
    .filter(animation => animation.effect?.getComputedTiming().endTime !== Infinity)
    .map(animation => animation.finished.catch(() => {}))
)`

/** Asserts that axe reports no serious or critical violations on the current page, in light and dark mode. */
export async function assertAccessible(t: Test, page: Page, state: string): Promise<void> {
  // The page's content security policy would block a script element.
  await page.evaluate(axe.source)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(settled)
    const { violations } = await page.evaluate<axe.AxeResults>(audit)
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })))
    t.strictSame(serious, [], `${state} is accessible in ${colorScheme}`)
  }
}

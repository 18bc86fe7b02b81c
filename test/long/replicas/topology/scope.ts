import type { Test } from 'tap'

/** What the helpers of tests need of a test: a place for what ends with it. */
export type Scope = Pick<Test, 'teardown'>

/** The same for a program: `close` undoes everything, the newest first. */
export function createScope(): Scope & { close(): Promise<void> } {
  const steps: (() => unknown)[] = []
  return {
    teardown(step) {
      steps.unshift(step)
    },
    async close() {
      for (const step of steps.splice(0)) await step()
    }
  }
}

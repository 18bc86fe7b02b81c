import type { Test } from 'tap'

/** The part of a test that test helpers need: registering cleanup steps. */
export type Scope = Pick<Test, 'teardown'>

/** Creates a scope for a program. `close` runs the cleanup steps, newest first. */
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

import { t as root, type Test } from 'tap'

export type { Test } from 'tap'

/** Parent of the tests in a file: tap's root, or the test that `runFiles` creates for the file. */
export let t: Test = root
export let test: Test['test'] = root.test

/** Sets the parent test for files loaded from now on. */
export function collectIn(parent: Test): void {
  t = parent
  test = parent.test
}

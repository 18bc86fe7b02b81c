import { t as root, type Test } from 'tap'

export type { Test } from 'tap'

/** The test that holds the tests of the file: tap's own, or one of `runFiles` with the file's name. */
export let t: Test = root
export let test: Test['test'] = root.test

/** Gives what is loaded from now on another test to put its tests into. */
export function collectIn(parent: Test): void {
  t = parent
  test = parent.test
}

import { t as root, type Test } from 'tap'
import { Match } from 'tcompare'

export { Test } from 'tap'

/** Parent of the tests in a file: tap's root, or the test that `runFiles` creates for the file. */
export let t: Test = root
export let test: Test['test'] = root.test

/** Sets the parent test for files loaded from now on. */
export function collectIn(parent: Test): void {
  t = parent
  test = parent.test
}

// By itself, `t.match` accepts a list that begins with the pattern's items, so that `[]` matches any list.
const matches = Match.prototype.test
Match.prototype.test = function (this: Match) {
  const { object, expect } = this
  const isOtherLength = Array.isArray(object) && Array.isArray(expect) && object.length !== expect.length
  return !isOtherLength && matches.call(this)
}

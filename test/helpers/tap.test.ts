import { Test, test } from './tap.ts'

test('t.match compares the length of lists', async t => {
  const apart = new Test({})
  for (const [found, pattern, matches] of [
    [['a'], [], false],
    [{ list: ['a', 'b'] }, { list: [/a/] }, false],
    [{ list: ['a', 'b'], more: 1 }, { list: [/a/, String] }, true]
  ] as const) {
    t.equal(apart.match(found, pattern), matches)
  }
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLoopTurns } from '../../../services/http/loop-turns.ts'
import { test } from '../../helpers/tap.ts'

/** Turns on a clock that stands still, and lets no request begin at once any more. */
function busyTurns(onChange: (isOverloaded: boolean) => void = () => {}) {
  const clock = { now: 0 }
  const begin = createLoopTurns(onChange, () => clock.now)
  begin(() => {})
  clock.now += 5
  return { begin, clock }
}

test('requests begin at once for five milliseconds of a turn of the event loop', async t => {
  let now = 0
  let begun = 0
  const begin = createLoopTurns(
    () => t.fail('no request is refused'),
    () => now
  )
  const request = () => begin(() => (begun += 1))
  for (let number = 0; number < 200; number += 1) t.ok(request())
  now += 4.9
  t.ok(request())
  t.equal(begun, 201)

  now += 0.1
  t.ok(request())
  t.equal(begun, 201, 'this one waits')
  await nextTurn()
  t.equal(begun, 202)
  t.ok(request())
  t.equal(begun, 203, 'at once again')
})

test('those that wait begin in the order in which they came, 16 in a turn', async t => {
  const { begin } = busyTurns(() => t.fail('no request is refused'))
  const begun: number[] = []
  for (let number = 0; number < 200; number += 1) t.ok(begin(() => begun.push(number)))
  let turns = 0
  while (begun.length < 200) {
    const before = begun.length
    await nextTurn()
    t.ok(begun.length - before <= 16)
    turns += 1
  }
  t.ok(turns >= 12)
  t.same(begun, [...begun.keys()])
})

test('those that wait begin for five milliseconds of a turn, with what each leads to at once', async t => {
  const { begin, clock } = busyTurns(() => t.fail('no request is refused'))
  let begun = 0
  for (let number = 0; number < 30; number += 1) {
    begin(() => {
      begun += 1
      process.nextTick(() => queueMicrotask(() => (clock.now += 2)))
    })
  }
  while (begun < 30) {
    const before = begun
    await nextTurn()
    t.ok(begun - before <= 3, 'the third begins after four milliseconds')
    t.ok(begun > before)
  }
})

test('one that comes while others wait begins after them', async t => {
  const { begin, clock } = busyTurns()
  const begun: string[] = []
  begin(() => {
    begun.push('first')
    clock.now += 1
    begin(() => begun.push('third'))
  })
  for (let number = 0; number < 15; number += 1) begin(() => {})
  begin(() => begun.push('second'))
  while (begun.length < 3) await nextTurn()
  t.same(begun, ['first', 'second', 'third'])
})

test('requests are refused while the oldest has waited for more than two seconds', async t => {
  const changes: boolean[] = []
  const { begin, clock } = busyTurns(isOverloaded => changes.push(isOverloaded))
  let begun = 0
  const request = () => begin(() => (begun += 1))
  for (let number = 0; number < 100; number += 1) t.ok(request())
  clock.now += 2001
  t.notOk(request())
  t.notOk(request())
  t.same(changes, [true])
  while (begun < 100) await nextTurn()
  await nextTurn()
  t.same(changes, [true, false])
  t.ok(request())
  t.equal(begun, 101)
})

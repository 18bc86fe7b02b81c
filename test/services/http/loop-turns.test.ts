import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLoopTurns } from '../../../services/http/loop-turns.ts'
import { test } from '../../helpers/tap.ts'

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('requests begin at once, until there are too many for one turn of the event loop', async t => {
  const begun: number[] = []
  const begin = createLoopTurns(() => t.fail('no request is refused'))
  for (let number = 0; number < 200; number += 1) t.ok(begin(() => begun.push(number)))
  t.equal(begun.length, 16)

  let turns = 0
  while (begun.length < 200) {
    const before = begun.length
    await nextTurn()
    t.ok(begun.length - before <= 16)
    turns += 1
  }
  t.ok(turns >= 12)
  t.same(begun, [...begun.keys()], 'in the order in which they came')
  await nextTurn()
  t.ok(begin(() => begun.push(200)))
  t.equal(begun.length, 201, 'at once again')
})

test('one that comes while others wait begins after them', async t => {
  const begun: string[] = []
  const begin = createLoopTurns(() => {})
  for (let number = 0; number < 16; number += 1) begin(() => {})
  begin(() => {
    begun.push('first')
    begin(() => begun.push('third'))
  })
  for (let number = 0; number < 15; number += 1) begin(() => {})
  begin(() => begun.push('second'))
  while (begun.length < 3) await nextTurn()
  t.same(begun, ['first', 'second', 'third'])
})

test('requests are refused while the oldest has waited for more than two seconds', async t => {
  const changes: boolean[] = []
  const begin = createLoopTurns(isOverloaded => changes.push(isOverloaded))
  let begun = 0
  const request = () => begin(() => (begun += 1))
  for (let number = 0; number < 100; number += 1) t.ok(request())
  block(2100)
  t.notOk(request())
  t.notOk(request())
  t.same(changes, [true])
  while (begun < 100) await nextTurn()
  t.same(changes, [true, false])
  t.ok(request())
  t.equal(begun, 101)
})

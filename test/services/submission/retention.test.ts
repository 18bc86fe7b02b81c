import { startRetention } from '../../../services/submission/retention.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

const DAY_MS = 86_400_000

/** Creates a clock that the test controls: `rest` ends the next pause and returns its length. */
function manualClock() {
  const pauses: { ms: number; action: () => void }[] = []
  let waiting: (() => void) | undefined
  return {
    clock: {
      now: () => 100 * DAY_MS,
      elapsed: () => 0,
      after(ms: number, action: () => void) {
        pauses.push({ ms, action })
        waiting?.()
        return () => {}
      }
    },
    async rest(): Promise<number> {
      if (pauses.length === 0) await new Promise<void>(resolve => (waiting = resolve))
      const pause = pauses.shift()
      pause?.action()
      return pause?.ms ?? Number.NaN
    }
  }
}

test('deletes old submissions in batches at startup, then every hour', async t => {
  const { clock, rest } = manualClock()
  const { log, entries } = keepingLog()
  const left = [500, 20, 0, 0]
  const steps: [number, number][] = []
  const store = {
    async forget(keepMs: number, limit: number) {
      steps.push([keepMs, limit])
      return left.shift() ?? 0
    }
  }
  const loop = startRetention({ store, days: 90, log, clock })
  t.strictSame([await rest(), await rest(), await rest(), await rest()], [100, 100, 3_600_000, 3_600_000])
  await loop?.stop()
  t.strictSame(steps.slice(0, 3), Array(3).fill([90 * DAY_MS, 500]))
  t.match(entries, [{ fields: { deleted: 520 } }])
})

test('deletes nothing if retention is 0 days', t => {
  const store = {
    forget: () => t.fail('nothing is deleted') as never
  }
  t.equal(startRetention({ store, days: 0, log: keepingLog().log }), undefined)
  t.end()
})

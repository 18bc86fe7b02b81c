import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { test } from 'tap'

/** How many schedules are the same in every run, and how many are new in each. */
const FIXED = 10_000
const NEW = 1000

const CLI = fileURLToPath(new URL('../../simulation/cli.ts', import.meta.url))

/** Runs schedules with `npm run simulate`'s script in a separate process, because tap's hooks make promises slow. */
async function run(from: number, count: number) {
  const { NODE_OPTIONS: _, ...env } = process.env
  const args = ['--import=tsx', CLI, '--from', String(from), '--count', String(count)]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [report, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { report, exitCode }
}

// A minute of work on a free core; a busy machine takes longer.
t.setTimeout(600_000)

test('each submission is executed once or refused, whatever fails on the way', async t => {
  for (const [from, count] of [
    [0, FIXED],
    [randomInt(FIXED, 2 ** 31), NEW]
  ] as const) {
    const { report, exitCode } = await run(from, count)
    t.comment(`seeds from ${from} on: ${report.trim().split('\n').at(-1)}`)
    t.equal(exitCode, 0, report)
  }
})

import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import t, { test } from 'tap'

/** Schedules that are played in every run, and those that are new in each. */
const FIXED = 10_000
const NEW = 1000

const CLI = fileURLToPath(new URL('../../simulation/cli.ts', import.meta.url))

/** Plays schedules as `npm run simulate` does, in a process of their own: tap's hooks make promises slow. */
async function play(from: number, count: number) {
  const { NODE_OPTIONS: _, ...env } = process.env
  const args = ['--import=tsx', CLI, '--from', String(from), '--count', String(count)]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [report, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { report, exitCode }
}

// A minute of work on a core of its own; on a machine that is busy otherwise it takes what it takes.
t.setTimeout(600_000)

test('each submission is executed once or refused, whatever happens on the way', async t => {
  for (const [from, count] of [
    [0, FIXED],
    [randomInt(FIXED, 2 ** 31), NEW]
  ] as const) {
    const { report, exitCode } = await play(from, count)
    t.comment(`seeds from ${from} on: ${report.trim().split('\n').at(-1)}`)
    t.equal(exitCode, 0, report)
  }
})

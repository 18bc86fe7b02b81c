import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))

/**
 * Runs schedules with the script of `npm run simulate` in a separate process, because tap's hooks slow promises down.
 * @returns the output, whose last line has the totals, and the exit code, which is 1 if a schedule failed
 */
export async function runSchedules(from: number, count: number) {
  const args = ['--import=tsx', CLI, '--from', String(from), '--count', String(count)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [report, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { report, exitCode }
}

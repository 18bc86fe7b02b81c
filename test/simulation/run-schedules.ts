import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url))

/**
 * Runs schedules with `npm run simulate`'s script in a process of its own, because tap's hooks make promises slow.
 * @returns its output, of which the last line has the totals, and its exit code, 1 when a schedule failed
 */
export async function runSchedules(from: number, count: number) {
  const args = ['--import=tsx', CLI, '--from', String(from), '--count', String(count)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [report, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return { report, exitCode }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from '../../helpers/app.ts'
import type { Test } from '../../helpers/tap.ts'

export interface Shell {
  /**
   * Runs some lines. Variables stay for those that come after.
   * @returns what they wrote to stdout
   * @throws Error with everything that they wrote, when a command fails
   */
  run(lines: string): Promise<string>
}

/** A bash in an empty folder, which ends with the first command that fails, and with the test. */
export function startShell(t: Test): Shell {
  const bash = spawn('bash', ['-euo', 'pipefail'], { cwd: temporaryFolder(t), stdio: 'pipe' })
  const ended = once(bash, 'close')
  t.teardown(async () => {
    bash.kill('SIGKILL')
    await ended
  })
  let output = ''
  let errors = ''
  bash.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    bash.emit('output')
  })
  bash.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const done = '\n== done ==\n'
  return {
    run: lines =>
      new Promise((resolve, reject) => {
        const before = output.length
        const look = () => {
          const end = output.indexOf(done, before)
          if (end !== -1) resolve(output.slice(before, end))
        }
        bash.on('output', look)
        ended.then(() => reject(new Error(`A command failed: ${output.slice(before)}${errors}`)))
        // No command of a document reads the lines that follow.
        bash.stdin.write(`{\n${lines}\n} </dev/null\nprintf '${JSON.stringify(done).slice(1, -1)}'\n`)
      })
  }
}

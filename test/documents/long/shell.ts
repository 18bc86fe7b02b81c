import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from '../../helpers/app.ts'
import type { Test } from '../../helpers/tap.ts'

export interface Shell {
  /**
   * Runs commands. Variables remain set for later calls.
   * @returns their stdout
   * @throws Error with all output if a command fails
   */
  run(lines: string): Promise<string>
}

/** Starts bash in an empty folder. The shell exits at the first command that fails, or when the test ends. */
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
        ended.then(() => reject(new Error(`a command failed: ${output.slice(before)}${errors}`)))
        // Prevent commands from reading the next lines of the script as their stdin.
        bash.stdin.write(`{\n${lines}\n} </dev/null\nprintf '${JSON.stringify(done).slice(1, -1)}'\n`)
      })
  }
}

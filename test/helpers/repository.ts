import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '../..')

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Returns the paths of repository files that match git patterns; of all files when there are no patterns. */
export function filesOf(...patterns: string[]): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns]
  return execFileSync('git', git, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(root, path)))
}

/** Returns Node arguments that run a TypeScript program. Append the program's own arguments. */
export const evaluating = (program: string): string[] => [
  ...['--import', import.meta.resolve('tsx/esm')],
  ...['--input-type=module', '--eval', program]
]

/** Returns the environment with npm scripts enabled, as users have it. `.ci/run` disables them. */
export function usersEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_ignore_scripts: _, ...env } = process.env
  return env
}

/** Runs a program, in the repository unless there is a `cwd`. @returns its stdout @throws Error with its output */
export async function run(
  command: string,
  words: readonly string[],
  options: ExecFileOptions = {}
): Promise<string> {
  const settings = { cwd: root, maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' as const }
  return (await promisify(execFile)(command, words, settings)).stdout
}

import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The repository's folder. */
export const root = join(import.meta.dirname, '../..')

/** Reads a text file of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Paths of the repository's files that match the patterns of git; of all files when there are none. */
export function filesOf(...patterns: string[]): string[] {
  const git = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...patterns]
  return execFileSync('git', git, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(root, path)))
}

/** Node arguments that run a program in TypeScript; its arguments follow. */
export const evaluating = (program: string): string[] => [
  ...['--import', import.meta.resolve('tsx/esm')],
  ...['--input-type=module', '--eval', program]
]

/** The environment with npm's scripts as users have them: `.ci/run` disables these. */
export function usersEnvironment(): NodeJS.ProcessEnv {
  const { npm_config_ignore_scripts: _, ...env } = process.env
  return env
}

/**
 * Runs a program, in the repository unless the options contain a `cwd`.
 * @returns its stdout
 * @throws Error with its output when it fails
 */
export async function run(
  command: string,
  words: readonly string[],
  options: ExecFileOptions = {}
): Promise<string> {
  const settings = { cwd: root, maxBuffer: 64 * 1024 * 1024, ...options, encoding: 'utf8' as const }
  return (await promisify(execFile)(command, words, settings)).stdout
}

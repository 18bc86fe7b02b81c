import { resolve } from 'node:path'

/** The configuration is invalid. Problems contain no values, which might be misplaced secrets (interface 1.4). */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem${problems.length === 1 ? '' : 's'}`)
    this.problems = problems
  }
}

export function problem(variable: string, wrong: string, expected: string): string {
  return `${variable} ${wrong}; expected ${expected}`
}

export function configError(...line: Parameters<typeof problem>): ConfigError {
  return new ConfigError([problem(...line)])
}

/** Only an absolute path, or one that begins with a dot, is certainly not a secret in the wrong variable. */
const PATH = /^\.{0,2}\/[\w./@-]{1,300}$/

/** Describes why the file at a path cannot be read, after "a file that" (interface 1.18). */
export function unreadable(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT') return `cannot be read${code === undefined ? '' : ` (${code})`}`
  const place = PATH.test(path) ? `: ${resolve(path)}` : ` at this path from ${process.cwd()}`
  return `does not exist${place} (create or mount it, or correct the path)`
}

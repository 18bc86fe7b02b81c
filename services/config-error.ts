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

export function unreadable(error: unknown): string {
  return `cannot be read${error instanceof Error && 'code' in error ? ` (${error.code})` : ''}`
}

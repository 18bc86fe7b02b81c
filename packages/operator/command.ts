import type { Context } from './context.ts'

export interface Command {
  /** Usage of the arguments after the command name. */
  arguments: string
  summary: string
  /** Help for the options, one per line, followed by other details. */
  details: string
  /** Whether the command changes anything with these arguments. If so, its use is logged as an audit line. */
  changes?(argv: readonly string[]): boolean
  /** @returns the exit code */
  run(argv: string[], context: Context): Promise<number>
}

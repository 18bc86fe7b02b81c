import type { Context } from './context.ts'

export interface Command {
  /** Usage of the arguments after the command name. */
  arguments: string
  /** One line of help. */
  summary: string
  /** Help for the options, one per line, followed by other details. */
  details: string
  /** @returns the exit code */
  run(argv: string[], context: Context): Promise<number>
}

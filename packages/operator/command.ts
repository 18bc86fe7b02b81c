import type { Context } from './context.ts'

/** A command of the operator tool. */
export interface Command {
  /** The arguments after the command's name. */
  arguments: string
  /** One line. */
  summary: string
  /** The options, one per line, and further help. */
  details: string
  /** @returns the exit code */
  run(argv: string[], context: Context): Promise<number>
}

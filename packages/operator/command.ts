import type { Context } from './context.ts'

/** A command of the operator's tool. */
export interface Command {
  /** What follows the command's name. */
  arguments: string
  /** One line. */
  summary: string
  /** The options, one per line, and what else a user must know. */
  details: string
  /** @returns the exit code */
  run(argv: string[], context: Context): Promise<number>
}

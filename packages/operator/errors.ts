/** An invalid command line. The message is a single line for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command failed. The message explains the reason to the operator. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** A wrong command line; the message is one line for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command cannot do what was asked; the message says why, for the operator. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

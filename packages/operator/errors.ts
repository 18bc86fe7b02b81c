/** A wrong command line; the message is one line for the user. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command cannot be carried out; the message explains why to the operator. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

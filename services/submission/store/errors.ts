/** The stored state is not the one that the caller expected; nothing was changed. */
export class StoreConflictError extends Error {
  override name = 'StoreConflictError'
}

/** A stored row is damaged. The message names table, row and column, never the content. */
export class StoreCorruptError extends Error {
  override name = 'StoreCorruptError'

  /** @param row the submissionId, or the key of another table */
  constructor(table: string, row: string, column: string) {
    super(`stored ${table} ${row} is damaged: column ${column}`)
  }
}

/** A write of a term that is over; nothing was changed. */
export class TermEndedError extends Error {
  override name = 'TermEndedError'

  constructor() {
    super('the term is over: another one may have begun')
  }
}

/**
 * A write whose outcome is unknown, because its commit failed. It has happened completely or not at all, and no later call
 * that succeeds sees it undecided.
 */
export class StoreUncertainError extends Error {
  override name = 'StoreUncertainError'
}

/** The store cannot be used for a while; nothing was changed. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'

  /** @param reason continues "the database" */
  constructor(reason: string, options?: ErrorOptions) {
    super(`the database ${reason}`, options)
  }
}

/** The transaction failed only because of another one at the same moment, so that a repetition may succeed. */
export class CollisionError extends StoreUnavailableError {
  constructor() {
    super('was changed by another transaction at the same moment')
  }
}

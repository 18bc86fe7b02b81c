/** The stored state differs from what the caller expected. Nothing was changed. */
export class StoreConflictError extends Error {
  override name = 'StoreConflictError'
}

/** A stored row is damaged. The message contains the table, row and column, never the content. */
export class StoreCorruptError extends Error {
  override name = 'StoreCorruptError'
  readonly table: string
  readonly row: string
  /** Whether money depends on the row, so that the engine must stop. Damage to any other row affects only that row. */
  readonly stopsEngine: boolean

  /** @param row the submissionId, or the key of another table */
  constructor(table: string, row: string, column: string, stopsEngine = true) {
    super(`stored ${table} ${row} is damaged: column ${column}`)
    this.table = table
    this.row = row
    this.stopsEngine = stopsEngine
  }
}

/** A write after the end of its term. Nothing was changed. */
export class TermEndedError extends Error {
  override name = 'TermEndedError'

  constructor() {
    super('the term has ended: another process may lead')
  }
}

/**
 * A write whose commit failed, so that its outcome is unknown. The write was applied completely or not at all, and any
 * later successful call sees the final state.
 */
export class StoreUncertainError extends Error {
  override name = 'StoreUncertainError'
}

/** The store is temporarily unavailable. Nothing was changed. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'

  /** @param reason completes the sentence "the database …" */
  constructor(reason: string, options?: ErrorOptions) {
    super(`the database ${reason}`, options)
  }
}

/** A collision with a concurrent transaction. A retry might succeed. */
export class CollisionError extends StoreUnavailableError {
  constructor() {
    super('was changed by a concurrent transaction')
  }
}

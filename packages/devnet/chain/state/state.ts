/**
 * The application's state as message handlers and queries see it: a flat key-value store of immutable values.
 * Reads and writes cost gas when the view belongs to a transaction.
 */
export interface State {
  get<T>(key: string): T | undefined
  set<T>(key: string, value: T): void
  delete(key: string): void
}

/** State that can only be read. */
export type StateView = Pick<State, 'get'>

/** A state value as a JSON string, with bigint as digits. */
export function serialize(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)) ?? ''
}

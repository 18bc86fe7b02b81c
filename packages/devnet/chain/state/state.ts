/** A flat key-value store of immutable values. In a transaction, reads and writes cost gas. */
export interface State {
  get<T>(key: string): T | undefined
  set<T>(key: string, value: T): void
  delete(key: string): void
}

export type StateView = Pick<State, 'get'>

/** Serializes a state value to JSON, with bigint as digits. */
export function serialize(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part)) ?? ''
}

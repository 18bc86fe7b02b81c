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

/** A branch of the state. Reads fall through to `parent`; `commit` applies the writes. */
export class Branch implements State {
  readonly #parent: StateView
  /** The written values; undefined means deleted. */
  readonly #writes = new Map<string, unknown>()

  constructor(parent: StateView) {
    this.#parent = parent
  }

  get<T>(key: string): T | undefined {
    if (this.#writes.has(key)) return this.#writes.get(key) as T | undefined
    return this.#parent.get<T>(key)
  }

  set<T>(key: string, value: T): void {
    this.#writes.set(key, value)
  }

  delete(key: string): void {
    this.#writes.set(key, undefined)
  }

  commit(target: State): void {
    for (const [key, value] of this.#writes) {
      if (value === undefined) target.delete(key)
      else target.set(key, value)
    }
  }
}

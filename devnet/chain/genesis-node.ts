/** A genesis document that cannot be used; the message names the field, such as `app_state.bank.balances[2].coins`. */
export class GenesisError extends Error {
  override name = 'GenesisError'

  constructor(path: string, problem: string) {
    super(`genesis: ${path} ${problem}`)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One place of a genesis document. All readers throw GenesisError when it holds something else. */
export class GenesisNode {
  readonly value: unknown
  readonly path: string

  constructor(value: unknown, path: string) {
    this.value = value
    this.path = path
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null
  }

  fail(problem: string): never {
    throw new GenesisError(this.path, problem)
  }

  /** A field of the object that must be here. */
  field(name: string): GenesisNode {
    return new GenesisNode(this.object()[name], this.path === '' ? name : `${this.path}.${name}`)
  }

  /** A field that may be missing together with the object it would be in. */
  optionalField(name: string): GenesisNode {
    if (this.isAbsent) return new GenesisNode(undefined, `${this.path}.${name}`)
    return this.field(name)
  }

  object(): Record<string, unknown> {
    if (isObject(this.value)) return this.value
    return this.fail(this.isAbsent ? 'is missing' : 'must be an object')
  }

  /** The elements of an array. A missing array is empty, because Go encodes empty slices as null. */
  items(): GenesisNode[] {
    if (this.isAbsent) return []
    if (!Array.isArray(this.value)) return this.fail('must be an array')
    return this.value.map((item: unknown, index) => new GenesisNode(item, `${this.path}[${index}]`))
  }

  string(): string {
    if (typeof this.value === 'string') return this.value
    return this.fail(this.isAbsent ? 'is missing' : 'must be a string')
  }

  /** A string that may be missing, then ''. */
  optionalString(): string {
    return this.isAbsent ? '' : this.string()
  }

  /** An unsigned integer, which protobuf's JSON writes as digits. A number is accepted too; a missing value is `fallback`. */
  uint(fallback?: bigint): bigint {
    if (this.isAbsent && fallback !== undefined) return fallback
    if (typeof this.value === 'string' && /^\d+$/.test(this.value)) return BigInt(this.value)
    if (typeof this.value === 'number' && Number.isSafeInteger(this.value) && this.value >= 0) {
      return BigInt(this.value)
    }
    return this.fail(this.isAbsent ? 'is missing' : 'must be an unsigned integer, as a string of digits')
  }
}

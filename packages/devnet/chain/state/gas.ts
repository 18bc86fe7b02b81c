import { sdkError } from '../errors.ts'
import { type State, serialize } from './state.ts'

export class GasMeter {
  readonly #limit: bigint | undefined
  #used = 0n

  constructor(limit: bigint | undefined) {
    this.#limit = limit
  }

  get used(): bigint {
    return this.#used
  }

  /** The gas wanted. Like the SDK, reports the largest uint64 if there is no limit. */
  get limit(): bigint {
    return this.#limit ?? 0xffffffffffffffffn
  }

  /** Adds gas. @throws AbciError 11 with `location` when the limit is exceeded; the gas still counts as used */
  consume(amount: number, location: string): void {
    this.#used += BigInt(amount)
    if (this.#limit === undefined || this.#used <= this.#limit) return
    throw sdkError(
      'outOfGas',
      `out of gas in location: ${location}; gasWanted: ${this.#limit}, gasUsed: ${this.#used}`
    )
  }
}

const sizes = new WeakMap<object, number>()

/** Returns the size in bytes. State values are immutable, so the sizes of objects are cached. */
function sizeOf(value: unknown): number {
  if (value === undefined) return 0
  if (typeof value === 'bigint') return value.toString().length
  if (typeof value !== 'object' || value === null) return serialize(value).length
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = serialize(value).length
  sizes.set(value, size)
  return size
}

/** The Cosmos SDK's gas costs for store access (KVGasConfig). */
const cost = { readFlat: 1000, readByte: 3, writeFlat: 2000, writeByte: 30, delete: 1000 }

/** Wraps `state` so that reads and writes charge `meter`. */
export function meteredState(state: State, meter: GasMeter): State {
  return {
    get<T>(key: string) {
      meter.consume(cost.readFlat, 'ReadFlat')
      const value = state.get<T>(key)
      meter.consume(cost.readByte * (key.length + sizeOf(value)), 'ReadPerByte')
      return value
    },
    set(key, value) {
      meter.consume(cost.writeFlat, 'WriteFlat')
      meter.consume(cost.writeByte * (key.length + sizeOf(value)), 'WritePerByte')
      state.set(key, value)
    },
    delete(key) {
      meter.consume(cost.delete, 'Delete')
      state.delete(key)
    }
  }
}

/** A parameter has the wrong type. */
export class ParamError extends Error {
  override name = 'ParamError'
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const HEX = /^(?:[0-9a-f]{2})*$/i

/**
 * The named parameters of a request. Integers are digit strings, as in CometBFT: `{"height": "5"}`. Missing, empty and
 * null parameters are undefined.
 */
export class Params {
  readonly #values: Readonly<Record<string, unknown>>

  /** @throws ParamError when `params` is not an object */
  constructor(params: unknown) {
    const values = params ?? {}
    if (typeof values !== 'object' || (Array.isArray(values) && values.length > 0)) {
      throw new ParamError('params must be an object')
    }
    this.#values = { ...values }
  }

  string(name: string): string | undefined {
    const value = this.#values[name]
    if (value === undefined || value === null || value === '') return undefined
    return typeof value === 'string' ? value : fail(name, 'a string')
  }

  int(name: string): number | undefined {
    const text = this.string(name)
    if (text === undefined) return undefined
    return /^-?\d{1,15}$/.test(text) ? Number(text) : fail(name, 'an integer in a string')
  }

  base64(name: string): Uint8Array {
    const text = this.string(name) ?? ''
    return BASE64.test(text) ? Buffer.from(text, 'base64') : fail(name, 'base64')
  }

  hex(name: string): Uint8Array {
    const text = this.string(name) ?? ''
    return HEX.test(text) ? Buffer.from(text, 'hex') : fail(name, 'hex')
  }
}

function fail(name: string, expected: string): never {
  throw new ParamError(`${name} must be ${expected}`)
}

import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Zlib's default quality for brotli, 11, takes too long. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = { br: (bytes: Buffer) => brotliCompressSync(bytes, brotli), gzip: gzipSync }

export type Encoding = keyof typeof compressors

/** A response body as bytes, with its tag and compressed forms, which are made on first use. */
export interface Body {
  readonly bytes: Buffer
  /** Weak, because all forms share it. */
  readonly etag: string
  compressed(encoding: Encoding): Buffer
}

export function bodyOf(text: string): Body {
  const bytes = Buffer.from(text)
  const forms = new Map<Encoding, Buffer>()
  let etag: string | undefined
  return {
    bytes,
    get etag() {
      etag ??= `W/"${createHash('sha1').update(bytes).digest('base64')}"`
      return etag
    },
    compressed(encoding) {
      const form = forms.get(encoding) ?? compressors[encoding](bytes)
      forms.set(encoding, form)
      return form
    }
  }
}

/**
 * Caches a value that is derived from a cached value, which is the same object for all readers until it is refreshed.
 * @returns a function that calls `make` again only for another value or other arguments
 */
export function oncePerValue<T extends object, Others extends unknown[], Made>(
  make: (value: T, ...others: Others) => Made
): (value: T, ...others: Others) => Made {
  const last = new WeakMap<T, { others: Others; made: Made }>()
  return (value, ...others) => {
    const known = last.get(value)
    if (known?.others.every((other, index) => other === others[index])) return known.made
    const made = make(value, ...others)
    last.set(value, { others, made })
    return made
  }
}

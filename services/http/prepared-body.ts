import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

const encodings = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof encodings)[number]

/** Shorter texts hardly become shorter. */
const WORTH_COMPRESSING = 1000

/** Compresses 8 kB in less than a millisecond, unlike the highest level. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const encoders: Record<Encoding, (plain: Buffer) => Buffer> = {
  br: plain => brotliCompressSync(plain, BROTLI),
  gzip: plain => gzipSync(plain),
  identity: plain => plain
}

/** A text that is sent many times. It is hashed once, and encoded once in each encoding. */
export interface PreparedBody {
  /** Weak, because it stands for all encodings (RFC 9110 §8.8.3). */
  readonly etag: string
  /** The body for a client with this `accept-encoding`. */
  encoded(acceptEncoding: string | undefined): { encoding: Encoding; bytes: Buffer }
}

export function prepareBody(text: string): PreparedBody {
  const plain = Buffer.from(text)
  const encoded = new Map<Encoding, Buffer>([['identity', plain]])
  return {
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    encoded(acceptEncoding) {
      const encoding = choose(plain, acceptEncoding)
      const bytes = encoded.get(encoding) ?? encoders[encoding](plain)
      encoded.set(encoding, bytes)
      return { encoding, bytes }
    }
  }
}

function choose({ length }: Buffer, acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || length < WORTH_COMPRESSING) return 'identity'
  return negotiate(acceptEncoding, [...encodings]) ?? 'identity'
}

/** Whether `if-none-match` names this tag (RFC 9110 §13.1.2, weak comparison). */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some(tag => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import etag from '@fastify/etag'
import type { FastifyPluginAsync } from 'fastify'

/** In bytes. A shorter body fits into one packet anyway. */
const MIN_COMPRESSED = 1000

/** Zlib's default quality for brotli, 11, is for files that are compressed once. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, brotli),
  gzip: (text: string) => promisify(gzip)(text)
}

/** Adds ETags, omits the body if the client already has it, and compresses responses (interface 4.30). */
const hooks: FastifyPluginAsync = async app => {
  await app.register(etag, { weak: true, replyWith304: false })
  // The plugin's own 304 response supports only a single tag, and not `*`. Error responses must not match `*`.
  app.addHook('onSend', async (request, reply, payload) => {
    const isKnown = isNamed(String(reply.getHeader('etag')), request.headers['if-none-match'])
    if (reply.statusCode !== 200 || !isKnown) return payload
    reply.code(304)
    // Fastify omits the body for HEAD.
    return request.method === 'HEAD' ? payload : null
  })
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '))
    const encoding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip'])
    if (encoding === null || typeof payload !== 'string' || payload.length < MIN_COMPRESSED) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return compressors[encoding](payload)
  })
}

export default hooks

/** Returns whether `if-none-match` matches a tag (RFC 9110 §13.1.2, weak comparison). */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  // A tag can contain commas.
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return ifNoneMatch.trim() === '*' || tags.includes(etag.replace(/^W\//, ''))
}

import compress from '@fastify/compress'
import etag from '@fastify/etag'
import type { FastifyPluginAsync } from 'fastify'

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
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1000,
    syncThreshold: 100_000,
    globalDecompression: false
  })
}

export default hooks

/** Returns whether `if-none-match` matches a tag (RFC 9110 §13.1.2, weak comparison). */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  // A tag can contain commas.
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return ifNoneMatch.trim() === '*' || tags.includes(etag.replace(/^W\//, ''))
}

import compress from '@fastify/compress'
import etag from '@fastify/etag'
import type { FastifyPluginAsync } from 'fastify'

/** Answers have a tag, are not sent to a client that has them already, and are compressed (interface 4.30). */
const hooks: FastifyPluginAsync = async app => {
  await app.register(etag, { weak: true, replyWith304: false })
  // The plugin's own 304 is for one tag. Clients may send several, and `*`, which an error would match.
  app.addHook('onSend', async (request, reply, payload) => {
    const isKnown = isNamed(String(reply.getHeader('etag')), request.headers['if-none-match'])
    if (reply.statusCode !== 200 || !isKnown) return payload
    reply.code(304)
    // Of a HEAD, Fastify leaves out the body itself.
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

/** Whether `if-none-match` names this tag (RFC 9110 §13.1.2, weak comparison). */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  // A tag may have commas in it.
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return ifNoneMatch.trim() === '*' || tags.includes(etag.replace(/^W\//, ''))
}

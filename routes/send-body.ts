import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Body } from '../services/caches/body.ts'
import type { Aged } from '../services/caches/cached-read.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export const sendBody = (reply: FastifyReply, { bytes }: Body): FastifyReply =>
  reply.header('content-type', JSON_TYPE).send(bytes)

/** The same lifetime as in the service's own cache (interface 4.22). */
const CACHE_CONTROL = 'public, max-age=10'

const VARY = 'Origin, accept-encoding'

/** The minimum size of a compressed body, in bytes. A shorter body fits into one packet anyway. */
const MIN_COMPRESSED = 1000

/**
 * Sends a body that is the same for all clients (interface 4.30): compressed for clients that accept it, and not at all
 * to those that already have it.
 * @param read the cached data (interface 4.25), if any is in the body
 */
export function sendShared(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag, compressed }: Body,
  read: Aged<unknown> | undefined
): FastifyReply {
  if (read !== undefined) reply.headers({ age: read.ageSeconds, 'cache-control': CACHE_CONTROL })
  reply.headers({ 'content-type': JSON_TYPE, etag, vary: VARY })
  if (isNamed(etag, headers['if-none-match'])) {
    reply.code(304)
    // For HEAD, Fastify sends the length only.
    return method === 'HEAD' ? reply.send(bytes) : reply.send()
  }
  const accepted = bytes.length < MIN_COMPRESSED ? undefined : headers['accept-encoding']
  const encoding = accepted === undefined ? null : negotiate(accepted, ['br', 'gzip'])
  if (encoding === null) return reply.send(bytes)
  return reply.header('content-encoding', encoding).send(compressed(encoding))
}

/** Returns whether `if-none-match` matches a tag (RFC 9110 §13.1.2, weak comparison). */
function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  // A tag can contain commas.
  const tags: string[] = ifNoneMatch.match(/"[^"]*"/g) ?? []
  return ifNoneMatch.trim() === '*' || tags.includes(etag.replace(/^W\//, ''))
}

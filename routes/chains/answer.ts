import type { FastifyReply } from 'fastify'
import type { Aged } from '../../services/caches/cached-read.ts'

/** Sets the `age` header to the age of an answer from the chain (interface 4.25). */
export function answerAged<T>(reply: Pick<FastifyReply, 'header'>, { value, ageSeconds }: Aged<T>): T {
  reply.header('age', ageSeconds)
  return value
}

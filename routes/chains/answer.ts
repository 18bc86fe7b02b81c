import type { FastifyReply } from 'fastify'
import type { Aged } from '../../services/caches/cached-read.ts'

/** Tells in the `age` header how old the answer is (contract §3, Chains). */
export function answerAged<T>(reply: Pick<FastifyReply, 'header'>, { value, ageSeconds }: Aged<T>): T {
  reply.header('age', ageSeconds)
  return value
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

const folder = new URL('../../.tap/', import.meta.url)
/** One line per operationId and status. Each Node version has its own file, because several can run in parallel. */
const notes = new URL(`answered-statuses-${process.version}`, folder)

/** Fails the test for an undocumented status, and records documented ones for check-answers.ts, which runs last. */
export function recordAnswers(t: Test, server: FastifyInstance): void {
  const noted = new Set<string>()
  server.addHook('onResponse', async (request, reply) => {
    const { operationId, response } = request.routeOptions.schema ?? {}
    // Responses without an operationId are not in the document: unknown routes, preflights and a test's own routes.
    if (operationId === undefined) return
    // Responses to malformed HTTP are not in the document, because they are the same for all routes.
    if (request.errorCode === 'BAD_REQUEST') return
    const answer = `${operationId} ${reply.statusCode}`
    if (!Object.hasOwn(Object(response), reply.statusCode)) t.fail(`${answer} is not documented`)
    if (noted.has(answer)) return
    noted.add(answer)
    mkdirSync(folder, { recursive: true })
    appendFileSync(notes, `${answer}\n`)
  })
}

/** Returns the statuses recorded since the last call of `forgetAnswers`. */
export function notedAnswers(): Set<string> {
  return new Set(existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : [])
}

export function forgetAnswers(): void {
  rmSync(notes, { force: true })
}

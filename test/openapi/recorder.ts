import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'

const folder = new URL('../../.tap/', import.meta.url)
/**
 * File with one line per operationId and status. Each Node version has its own file, because the tests can run under
 * several versions in parallel.
 */
const notes = new URL(`answered-statuses-${process.version}`, folder)

/**
 * Checks every response of an application against the document. An undocumented status fails the test. Records
 * documented statuses for check-answers.ts, which runs after all tests.
 */
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

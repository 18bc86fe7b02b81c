import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { ErrorCode } from '../../services/errors/catalogue.ts'

const faultsOfHttp: (ErrorCode | undefined)[] = ['BAD_REQUEST']

const folder = new URL('../../.tap/', import.meta.url)
/** One line for each kind of answer that some test got: operationId and status. Another Node may run the tests at once. */
const notes = new URL(`answered-statuses-${process.version}`, folder)

/**
 * Checks every answer of an application against the document: an undocumented status fails the test. The others are
 * noted, for the check after all tests that each documented status occurred.
 */
export function recordAnswers(t: Test, server: FastifyInstance): void {
  const noted = new Set<string>()
  server.addHook('onResponse', async (request, reply) => {
    const { operationId, response } = request.routeOptions.schema ?? {}
    // Without an operationId it is not in the document: not found, preflight, a route of the test.
    if (operationId === undefined) return
    // What is wrong with the HTTP of a request is not in the document, because it is the same for all routes.
    if (faultsOfHttp.includes(request.errorCode)) return
    const answer = `${operationId} ${reply.statusCode}`
    if (!Object.hasOwn(Object(response), reply.statusCode)) t.fail(`${answer} is not documented`)
    if (noted.has(answer)) return
    noted.add(answer)
    mkdirSync(folder, { recursive: true })
    appendFileSync(notes, `${answer}\n`)
  })
}

/** The notes since the last call of `forgetAnswers`. */
export function notedAnswers(): Set<string> {
  return new Set(existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : [])
}

export function forgetAnswers(): void {
  rmSync(notes, { force: true })
}

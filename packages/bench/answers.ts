import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../test/helpers/until.ts'
import type { Lab } from './lab.ts'
import { script } from './processes/child.ts'
import { type Server, startServing } from './processes/server.ts'

/** A response of the service that the servers in the comparison also send. */
export interface Answer {
  /** The request path, including the query. */
  path: string
  headers: Record<string, string>
  body: string
  /** The upstream URL from which a server fetches the body on each request, sending the query as JSON. */
  from?: string
}

/** The health response. Every server has it, and the startup benchmark needs no other. */
export const HEALTH: Answer = {
  path: '/health',
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'ok'
}

/** Headers that servers set themselves. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Requests a path until the response has status 200 and a body that `isWanted` accepts. */
export async function answerOf(
  url: string,
  path: string,
  isWanted = (_body: string) => true
): Promise<Answer> {
  return until(async () => {
    const response = await fetch(url + path)
    const body = await response.text()
    if (response.status !== 200 || !isWanted(body)) return false
    const headers = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
    return { path, headers: Object.fromEntries(headers), body }
  }, `${path} returns the expected response`)
}

let files = 0

/** Starts a server that sends the given responses: `bare`, a Fastify without plugins, or `express`. */
export async function serve(
  lab: Lab,
  name: 'bare' | 'express',
  answers: readonly Answer[],
  ...args: string[]
): Promise<Server> {
  files += 1
  const file = join(lab.directory, `answers-${files}.json`)
  await writeFile(file, JSON.stringify(answers))
  return startServing(lab, [script(`${name}-process`), file, ...args])
}
